// Judges calls, in a list or alone, by what their row and their event show together.
import type { Answer, Fault } from "./gatewayClient.ts";
import { assistantName } from "./serviceFormat.ts";
import { judgeFaults, judgeFields, type Verdict } from "./judge.ts";
import { callFields, eventFields, instant, taskFields } from "./oracle.ts";
import type { Question } from "./questions.ts";
import { selectCalls } from "./selectCalls.ts";
import { CALL, EVENT } from "./selections.ts";
import type { Json } from "./service.ts";
import type { TestBed } from "./examine.ts";
import { DAY, HOUR, MINUTE, type Call } from "./world.ts";

/** Joins a row and its event: the event's values count, and the row's where the event has none. */
function joinedFields(call: Call, { events, odd }: TestBed): { shown: Call; event: Call | undefined; fields: Json } {
  const shown = odd.listedCall?.(call) ?? call;
  const event = shown.sessionId === null ? undefined : events.get(shown.sessionId);
  const row = callFields(shown) as Json;
  const primary: Json = event ? callFields(event) : row;
  const isPresent = (value: unknown) => value !== null && !(Array.isArray(value) && value.length === 0);
  const entries = Object.entries(row).map(([name, value]) => [name, isPresent(primary[name]) ? primary[name] : value]);
  const fields = Object.fromEntries(entries) as Json;
  return { shown, event, fields: { ...fields, recordFile: row["recordFile"] } };
}

export function judgeCall(node: Json, call: Call, faults: readonly Fault[], testBed: TestBed, verdict: Verdict): void {
  judgeFields(node, joinedFields(call, testBed).fields, faults, verdict);
}

export function judgeJoined(
  node: Json,
  call: Call,
  faults: readonly Fault[],
  testBed: TestBed,
  verdict: Verdict,
): void {
  const { event, fields } = joinedFields(call, testBed);
  const task = testBed.world.tasks.find(({ id }) => id === fields["taskId"]);
  const status = task && { ...taskFields(task), ...testBed.odd.shownTask?.(task) }.status;
  const right = {
    task: task ? { taskId: task.id, name: task.name, status } : null,
    callEnded: event ? { sessionId: event.sessionId, hangupReason: event.hangupReason } : null,
  };
  judgeFields(node, right, faults, verdict);
  const handledBy = node["handledBy"] as {
    assistantId: string;
    versionId: string;
    assistant: { name: string } | null;
  }[];
  for (const { assistantId, versionId, assistant } of handledBy) {
    const name = assistantName({ id: assistantId, vid: versionId });
    if (assistant && assistant.name !== name) verdict.wrong.push(`an assistant is ${assistant.name}, expected ${name}`);
  }
}

export async function judgeCallLog(
  { call: at, awayMs }: Extract<Question, { ask: "callLog" }>,
  testBed: TestBed,
  verdict: Verdict,
): Promise<Answer> {
  const { world, gateway, events, semantics, service, odd } = testBed;
  const call = world.calls[at];
  const sessionId = call === undefined ? "nobody" : call.sessionId;
  if (sessionId === null) return { data: null, errors: [] };
  const around = call === undefined || awayMs === null ? null : call.startAt + awayMs;
  const query = `query($id: ID!, $around: DateTime) { callLog(sessionId: $id, around: $around) {
    ${CALL} callEnded { ${EVENT} } } }`;
  const answer = await gateway.ask(query, { id: sessionId, around: instant(around) });
  const node = answer.data?.["callLog"] as Json | null | undefined;
  const faults = answer.errors.map((fault) => ({ ...fault, path: fault.path?.slice(1) ?? [] }));
  if (node) {
    if (call === undefined) verdict.wrong.push("there is no such call");
    else judgeFound(node, call, faults, testBed, verdict);
    return answer;
  }
  if (answer.errors.length > 0) judgeFaults(answer.errors, verdict, ["QUERY_TOO_COMPLEX"]);
  else if (call) {
    // Well within the searched range: seven days, or one day in each direction.
    const [since, until] =
      around === null ? [world.now - 6 * DAY, world.now] : [around - DAY + 2 * HOUR, around + DAY - 2 * HOUR];
    const whole = { taskIds: [], assistantIds: [], direction: null, phone: null, kind: null, since, until };
    const isListed =
      selectCalls(world, whole, semantics, service.turn()).includes(call) && odd.listedCall?.(call).sessionId !== null;
    if (events.has(sessionId) || isListed) verdict.wrong.push("it is null, but the call exists");
  }
  return answer;
}

/** If the list does not show the call or its session ID, the answer has the event's fields only. */
function judgeFound(node: Json, call: Call, faults: readonly Fault[], testBed: TestBed, verdict: Verdict): void {
  const { shown, fields } = joinedFields(call, testBed);
  const event = testBed.events.get(call.sessionId ?? "");
  const isAlone =
    event !== undefined &&
    (shown.sessionId !== call.sessionId || testBed.odd.isSearchedElsewhere || !isListedAround(call, testBed));
  const right: Json = isAlone && node["recordFile"] === null ? { ...callFields(event), recordFile: null } : fields;
  judgeFields(node, right, faults, verdict);
  const ended = node["callEnded"] as Json | null;
  if ((ended === null) !== (event === undefined))
    verdict.wrong.push(`its event is ${ended === null ? "null" : "there"}`);
  else if (ended && event) judgeFields(ended, eventFields(event), [], verdict);
}

function isListedAround(call: Call, { world, semantics, service, odd }: TestBed): boolean {
  const range = { since: call.startAt - 5 * MINUTE, until: (call.endAt ?? call.startAt) + 5 * MINUTE };
  const around = { taskIds: [], assistantIds: [], direction: null, phone: null, kind: null, ...range };
  return selectCalls(world, odd.tolerance?.understood(around) ?? around, semantics, service.turn()).includes(call);
}
