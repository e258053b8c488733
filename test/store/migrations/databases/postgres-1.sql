create table if not exists schema_version (version integer not null);
create table events (
    seq bigint generated always as identity primary key,
    session_id text collate "C" not null,
    revision integer not null,
    newest integer not null,
    source text collate "C" not null,
    delivery_sha256 text collate "C" not null,
    received_at text collate "C" not null,
    ended_at text collate "C" not null,
    direction text collate "C",
    hangup_side text collate "C",
    hangup_reason text collate "C",
    answered integer not null,
    duration double precision,
    billsec double precision,
    task_id text collate "C",
    caller text collate "C",
    callee text collate "C",
    data text collate "C" not null,
    unique (session_id, revision)
  );
create index events_by_task on events (task_id, seq);
create index events_by_end on events (ended_at);
create index events_counted on events
    (task_id, callee, answered, ended_at, hangup_reason, hangup_side, duration, billsec) where newest = 1;
create table event_assistants (
    assistant_id text collate "C" not null,
    seq bigint not null references events (seq) on delete cascade,
    primary key (assistant_id, seq)
  );
create index event_assistants_by_event on event_assistants (seq);
create table quarantine (
    id bigint generated always as identity primary key,
    received_at text collate "C" not null,
    reason text collate "C" not null,
    body_sha256 text collate "C" not null unique,
    body bytea not null
  );
create table submissions (
    id text collate "C" primary key,
    viewer text collate "C" not null,
    idempotency_key text collate "C" not null,
    input_sha256 text collate "C" not null,
    status text collate "C" not null,
    name text collate "C" not null,
    assistant_id text collate "C" not null,
    number_count integer not null,
    submitted_at text collate "C" not null,
    unique (viewer, idempotency_key)
  );
create table open_calls (session_id text collate "C" primary key, start_at text collate "C" not null);
create table leases (name text collate "C" primary key, holder text collate "C" not null, expires_at bigint not null);
create table settings (name text collate "C" primary key, value text collate "C" not null);
insert into schema_version overriding system value
  select * from json_populate_recordset(null::schema_version, $rows$[{"version":1}]$rows$);
insert into events overriding system value
  select * from json_populate_recordset(null::events, $rows$[{"seq":1,"session_id":"of the created task","revision":1,"newest":1,"source":"WEBHOOK","delivery_sha256":"e175373b0408de19a0d751a8889e1dc13b0254783948fcf15b6b97364bf97edd","received_at":"2026-11-23T07:31:07.467Z","ended_at":"2026-11-23T07:31:07.000Z","direction":"outbound","hangup_side":"callee","hangup_reason":"normal","answered":1,"duration":23,"billsec":20,"task_id":"281934664","caller":"A060","callee":"+12025550101","data":"{\"sessionId\":\"of the created task\",\"eventName\":\"call_ended\",\"direction\":\"outbound\",\"caller\":\"A060\",\"callee\":\"+12025550101\",\"startAt\":\"2026-11-23T07:30:44.000Z\",\"answerAt\":\"2026-11-23T07:30:47.000Z\",\"endAt\":\"2026-11-23T07:31:07.000Z\",\"duration\":23,\"billsec\":20,\"ringTime\":3,\"hangupSide\":\"callee\",\"hangupReason\":\"normal\",\"recordUrl\":\"http://127.0.0.1:36873/recordings/of%20the%20created%20task.wav?expires=1795419367&signature=ed7a8934f52c287897d49ed591264fe61e65c71736d4e596e2e79f4c3faef978\",\"taskId\":\"281934664\",\"taskItemId\":\"2819346631\",\"assistants\":[{\"assistantId\":\"11\",\"versionId\":\"304\"}],\"extra\":{\"姓名\":\"Li\"},\"unread\":[]}"}, 
 {"seq":2,"session_id":"of the seeded task","revision":1,"newest":1,"source":"WEBHOOK","delivery_sha256":"203bc35ee40c2c1accad4c2da518b8a2534df82154082d1ec313871c26e693df","received_at":"2026-11-23T07:31:07.468Z","ended_at":"2026-11-23T07:31:07.000Z","direction":"outbound","hangup_side":"callee","hangup_reason":"no answer","answered":0,"duration":3,"billsec":0,"task_id":"281934663","caller":"A060","callee":"+12025550103","data":"{\"sessionId\":\"of the seeded task\",\"eventName\":\"call_ended\",\"direction\":\"outbound\",\"caller\":\"A060\",\"callee\":\"+12025550103\",\"startAt\":\"2026-11-23T07:31:04.000Z\",\"answerAt\":null,\"endAt\":\"2026-11-23T07:31:07.000Z\",\"duration\":3,\"billsec\":0,\"ringTime\":3,\"hangupSide\":\"callee\",\"hangupReason\":\"no answer\",\"recordUrl\":null,\"taskId\":\"281934663\",\"taskItemId\":\"2819346630\",\"assistants\":[{\"assistantId\":\"11\",\"versionId\":\"304\"}],\"extra\":{},\"unread\":[]}"}, 
 {"seq":3,"session_id":"inbound","revision":1,"newest":1,"source":"WEBHOOK","delivery_sha256":"8962c23dfe0492b566bf81d52d6b6e7d05c8e13a47d64a81a006bcca09938f18","received_at":"2026-11-23T07:31:07.469Z","ended_at":"2026-11-23T07:31:07.000Z","direction":"inbound","hangup_side":"callee","hangup_reason":"normal","answered":1,"duration":23,"billsec":20,"task_id":null,"caller":"10000003872","callee":"10000009000","data":"{\"sessionId\":\"inbound\",\"eventName\":\"call_ended\",\"direction\":\"inbound\",\"caller\":\"10000003872\",\"callee\":\"10000009000\",\"startAt\":\"2026-11-23T07:30:44.000Z\",\"answerAt\":\"2026-11-23T07:30:47.000Z\",\"endAt\":\"2026-11-23T07:31:07.000Z\",\"duration\":23,\"billsec\":20,\"ringTime\":3,\"hangupSide\":\"callee\",\"hangupReason\":\"normal\",\"recordUrl\":\"http://127.0.0.1:36873/recordings/inbound.wav?expires=1795419367&signature=bcb649e1ced3eed687f769536bca52020f743ba467e9d232ad959ca392d338f4\",\"taskId\":null,\"taskItemId\":null,\"assistants\":[{\"assistantId\":\"15\",\"versionId\":\"314\"}],\"extra\":{\"订单\":\"7\"},\"unread\":[]}"}, 
 {"seq":4,"session_id":"revised","revision":1,"newest":0,"source":"WEBHOOK","delivery_sha256":"2aa2f6eb2b0d4056c3cd8152718bf0d6fed92eebd9b90a56601bf619466c7411","received_at":"2026-11-23T07:31:07.506Z","ended_at":"2026-11-20T01:31:00.000Z","direction":"outbound","hangup_side":"callee","hangup_reason":"NORMAL_CLEARING","answered":1,"duration":1,"billsec":55,"task_id":null,"caller":"A068","callee":"+8613800010001","data":"{\"sessionId\":\"revised\",\"eventName\":\"call_ended\",\"direction\":\"outbound\",\"caller\":\"A068\",\"callee\":\"+8613800010001\",\"startAt\":\"2026-11-20T01:30:00.000Z\",\"answerAt\":\"2026-11-20T01:30:05.000Z\",\"endAt\":\"2026-11-20T01:31:00.000Z\",\"duration\":1,\"billsec\":55,\"ringTime\":5,\"hangupSide\":\"callee\",\"hangupReason\":\"NORMAL_CLEARING\",\"recordUrl\":null,\"taskId\":null,\"taskItemId\":null,\"assistants\":[{\"assistantId\":\"3\",\"versionId\":\"31\"}],\"extra\":{\"姓名\":\"Li\"},\"unread\":[]}"}, 
 {"seq":5,"session_id":"revised","revision":2,"newest":1,"source":"WEBHOOK","delivery_sha256":"a1122746b64fe7317980878e470e1171abdfcbbfd1fb8f87ddd1025f06647c01","received_at":"2026-11-23T07:31:07.515Z","ended_at":"2026-11-20T01:31:00.000Z","direction":"outbound","hangup_side":"callee","hangup_reason":"USER_BUSY","answered":1,"duration":2,"billsec":55,"task_id":null,"caller":"A068","callee":"+8613800010001","data":"{\"sessionId\":\"revised\",\"eventName\":\"call_ended\",\"direction\":\"outbound\",\"caller\":\"A068\",\"callee\":\"+8613800010001\",\"startAt\":\"2026-11-20T01:30:00.000Z\",\"answerAt\":\"2026-11-20T01:30:05.000Z\",\"endAt\":\"2026-11-20T01:31:00.000Z\",\"duration\":2,\"billsec\":55,\"ringTime\":5,\"hangupSide\":\"callee\",\"hangupReason\":\"USER_BUSY\",\"recordUrl\":null,\"taskId\":null,\"taskItemId\":null,\"assistants\":[{\"assistantId\":\"3\",\"versionId\":\"31\"}],\"extra\":{\"姓名\":\"Li\"},\"unread\":[]}"}, 
 {"seq":6,"session_id":"odd","revision":1,"newest":1,"source":"WEBHOOK","delivery_sha256":"51a8a0213c7de1b897c1dbe14b162418d83cd5d07ff17959340349f0ef99ac26","received_at":"2026-11-23T07:31:07.523Z","ended_at":"2026-11-20T01:31:00.000Z","direction":"outbound","hangup_side":"callee","hangup_reason":"NORMAL_CLEARING","answered":1,"duration":0.5,"billsec":55,"task_id":null,"caller":"A068","callee":"+8613800010001","data":"{\"sessionId\":\"odd\",\"eventName\":\"call_ended\",\"direction\":\"outbound\",\"caller\":\"A068\",\"callee\":\"+8613800010001\",\"startAt\":\"2026-11-20T01:30:00.000Z\",\"answerAt\":null,\"endAt\":\"2026-11-20T01:31:00.000Z\",\"duration\":0.5,\"billsec\":55,\"ringTime\":5,\"hangupSide\":\"callee\",\"hangupReason\":\"NORMAL_CLEARING\",\"recordUrl\":null,\"taskId\":null,\"taskItemId\":null,\"assistants\":[{\"assistantId\":\"3\",\"versionId\":\"31\"}],\"extra\":null,\"unread\":[{\"field\":\"answerAt\",\"text\":\"no time\"}]}"}, 
 {"seq":7,"session_id":"erased","revision":1,"newest":1,"source":"WEBHOOK","delivery_sha256":"fb65cead10a4d6ad2d793a8a574464df674be398367d14c1cd23b0175ea5fae7","received_at":"2026-11-23T07:31:07.530Z","ended_at":"2026-11-20T01:31:00.000Z","direction":"outbound","hangup_side":"callee","hangup_reason":"NORMAL_CLEARING","answered":1,"duration":60,"billsec":55,"task_id":null,"caller":"A068","callee":"+12025550199","data":"{\"sessionId\":\"erased\",\"eventName\":\"call_ended\",\"direction\":\"outbound\",\"caller\":\"A068\",\"callee\":\"+12025550199\",\"startAt\":\"2026-11-20T01:30:00.000Z\",\"answerAt\":\"2026-11-20T01:30:05.000Z\",\"endAt\":\"2026-11-20T01:31:00.000Z\",\"duration\":60,\"billsec\":55,\"ringTime\":5,\"hangupSide\":\"callee\",\"hangupReason\":\"NORMAL_CLEARING\",\"recordUrl\":null,\"taskId\":null,\"taskItemId\":null,\"assistants\":[{\"assistantId\":\"3\",\"versionId\":\"31\"}],\"extra\":{\"姓名\":\"Li\"},\"unread\":[]}"}]$rows$);
insert into event_assistants overriding system value
  select * from json_populate_recordset(null::event_assistants, $rows$[{"assistant_id":"11","seq":1}, 
 {"assistant_id":"11","seq":2}, 
 {"assistant_id":"15","seq":3}, 
 {"assistant_id":"3","seq":4}, 
 {"assistant_id":"3","seq":5}, 
 {"assistant_id":"3","seq":6}, 
 {"assistant_id":"3","seq":7}]$rows$);
insert into quarantine overriding system value
  select * from json_populate_recordset(null::quarantine, $rows$[{"id":1,"received_at":"2026-11-23T07:31:07.535Z","reason":"The body is not JSON.","body_sha256":"62b8125a6f6d924ec53345b5fcd58ca3ed3f5e7d51e2e146e5f1346508acce69","body":"\\x6e6f74204a534f4e"}, 
 {"id":2,"received_at":"2026-11-23T07:31:07.537Z","reason":"The body is not an object with event_data.","body_sha256":"f20d22696d715ebbfdb1b7593f3124345cda57bf9fe09e7a5f46964c4050c837","body":"\\x7b226576656e745f6e616d65223a2263616c6c5f656e646564227d"}]$rows$);
insert into submissions overriding system value
  select * from json_populate_recordset(null::submissions, $rows$[{"id":"83c015b6-6d3a-444c-ad38-69c3e4021f49","viewer":"anyone","idempotency_key":"upgrade","input_sha256":"b8965b40f7bc20a86c01f14c6aea96b943fdcbcf15f8922d58a8030bc711d828","status":"ACCEPTED","name":"Upgrade","assistant_id":"11","number_count":2,"submitted_at":"2026-11-23T07:31:07.338Z"}, 
 {"id":"50139902-7aac-4953-9e4e-2a526b813c6f","viewer":"anyone","idempotency_key":"upgrade without calls","input_sha256":"b8965b40f7bc20a86c01f14c6aea96b943fdcbcf15f8922d58a8030bc711d828","status":"ACCEPTED","name":"Upgrade","assistant_id":"11","number_count":2,"submitted_at":"2026-11-23T07:31:07.377Z"}]$rows$);
-- open_calls is empty.
-- leases is empty.
insert into settings overriding system value
  select * from json_populate_recordset(null::settings, $rows$[{"name":"seal_key","value":"JZaGItrAC7lg1wEcAhhxAwqwDJ2bQxfca8AOMx9g+5o="}]$rows$);
select setval(pg_get_serial_sequence('events', 'seq'), 7);
select setval(pg_get_serial_sequence('quarantine', 'id'), 2);
