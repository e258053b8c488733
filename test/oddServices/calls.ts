// Judges calls: by what their row and their event tell together, in a list or by themselves.
import type { Answer, Fault } from "./ask.ts";
import { assistantName } from "./honest.ts";
import { judgeFaults, judgeFields, type Verdict } from "./judge.ts";
import { callFields, eventFields, instant, taskFields } from "./oracle.ts";
import type { Question } from "./questions.ts";
import { selectCalls } from "./select.ts";
import { CALL, EVENT } from "./selections.ts";
import type { Json } from "./service.ts";
import type { TestBed } from "./stand.ts";
import { DAY, HOUR, MINUTE, type Call } from "./world.ts";

/** What a row and its event tell together: the event is believed, and what it left out, the row tells. */
function believedOf(call: Call, { events: told, odd }: TestBed): { shown: Call; event: Call | undefined; fields: Json } {
  const shown = odd.listedCall?.(call) ?? call;
  const event = shown.sessionId === null ? undefined : told.get(shown.sessionId);
  const row = callFields(shown) as Json;
  const believed: Json = event ? callFields(event) : row;
  const isTold = (value: unknown) => value !== null && !(Array.isArray(value) && value.length === 0);
  const entries = Object.entries(row).map(([name, value]) => [name, isTold(believed[name]) ? believed[name] : value]);
  const fields = Object.fromEntries(entries) as Json;
  return { shown, event, fields: { ...fields, recordFile: row["recordFile"] } };
}

export function judgeCall(
  node: Json,
  call: Call,
  faults: readonly Fault[],
  standing: TestBed,
  verdict: Verdict,
): void {
  judgeFields(node, believedOf(call, standing).fields, faults, verdict);
}

export function judgeJoined(
  node: Json,
  call: Call,
  faults: readonly Fault[],
  standing: TestBed,
  verdict: Verdict,
): void {
  const { event, fields } = believedOf(call, standing);
  const task = standing.world.tasks.find(({ id }) => id === fields["taskId"]);
  const status = task && { ...taskFields(task), ...standing.odd.shownTask?.(task) }.status;
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
    if (assistant && assistant.name !== name)
      verdict.wrong.push(`an assistant is ${assistant.name}, and should be ${name}`);
  }
}

export async function judgeCallLog(
  { call: at, awayMs }: Extract<Question, { ask: "callLog" }>,
  standing: TestBed,
  verdict: Verdict,
): Promise<Answer> {
  const { world, gateway, events: told, semantics, service, odd } = standing;
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
    else judgeFound(node, call, faults, standing, verdict);
    return answer;
  }
  if (answer.errors.length > 0) judgeFaults(answer.errors, verdict, ["QUERY_TOO_COMPLEX"]);
  else if (call) {
    // Surely within what is searched: seven days, or a day each way.
    const [since, until] =
      around === null ? [world.now - 6 * DAY, world.now] : [around - DAY + 2 * HOUR, around + DAY - 2 * HOUR];
    const whole = { taskIds: [], assistantIds: [], direction: null, phone: null, kind: null, since, until };
    const isListed =
      selectCalls(world, whole, semantics, service.turn()).includes(call) && odd.listedCall?.(call).sessionId !== null;
    if (told.has(sessionId) || isListed) verdict.wrong.push("it is null, and the call is there");
  }
  return answer;
}

/** While the list does not show the call, or does not name it, its event stands alone. */
function judgeFound(node: Json, call: Call, faults: readonly Fault[], standing: TestBed, verdict: Verdict): void {
  const { shown, fields } = believedOf(call, standing);
  const event = standing.events.get(call.sessionId ?? "");
  const isAlone =
    event !== undefined &&
    (shown.sessionId !== call.sessionId || standing.odd.isSearchedElsewhere || !isListedAround(call, standing));
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
