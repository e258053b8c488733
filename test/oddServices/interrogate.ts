// Puts one question to a gateway and judges the answer.
import {
  pageAt,
  walk,
  type Answer,
  type AskedGateway,
  type Fault,
  type ReadPage,
  type Walk,
  type WalkedPage,
} from "./ask.ts";
import { assistantName } from "./honest.ts";
import { judgeFaults, judgeFields, judgeWalk, noVerdict, type RightList, type Verdict } from "./judge.ts";
import { callFields, eventFields, eventsOf, instant, selectionOf, statsOf, taskFields } from "./oracle.ts";
import type { ListFilter, Question, TaskListFilter } from "./questions.ts";
import { selectCalls, type Selection } from "./select.ts";
import type { Json } from "./service.ts";
import type { Standing } from "./stand.ts";
import { DAY, HOUR, MINUTE, type Call, type Task } from "./world.ts";

const PAGE_INFO = "pageInfo { hasNextPage hasPreviousPage }";
const UNREAD = "unread { field text }";
const COMMON = `sessionId taskId direction caller callee startAt answerAt endAt duration billsec answered
  assistants { assistantId versionId }`;
const CALL = `${COMMON} recordFile ${UNREAD}`;
const JOINED = `${CALL} task { taskId name status } callEnded { sessionId hangupReason }
  handledBy: assistants { assistantId versionId assistant { name } }`;
const EVENT = `${COMMON} eventName source ringTime hangupSide hangupReason hungUpBy recordUrl taskItemId extra ${UNREAD}`;
const LIST = (node: string) =>
  `{ totalCount since until driftDetected ${PAGE_INFO} edges { cursor node { ${node} } } }`;
const TASK = `taskId name status total progress collectionRate createdAt updatedAt summary assistantVersionId
  option { numberFileMeta { key value } lineIds retryCount periods } assistant { assistantId versionId } ${UNREAD}`;
const STATS = `since calls answered numbersCalled numbersReached totalDuration totalBillsec
  byHangupReason(first: 100) { reason calls answered } byHangupSide { side calls } byTask(first: 100) { taskId calls answered }
  byAssistant(first: 100) { assistantId calls answered } timeline(bucket: $bucket) { start calls answered }`;

export async function interrogate(question: Question, standing: Standing): Promise<Verdict & { shown: unknown }> {
  const verdict = noVerdict();
  const shown = await put(question, standing, verdict);
  return { ...verdict, shown };
}

async function put(question: Question, standing: Standing, verdict: Verdict): Promise<unknown> {
  const { gateway } = standing;
  switch (question.ask) {
    case "callLogs": {
      const { first, filter, jump, joined } = question;
      const read = listReader(gateway, joined);
      return judgeList(
        { read: (many, after) => read(filter, many, after), first, jump, filter, joined },
        standing,
        verdict,
      );
    }
    case "taskCallLogs": {
      const { taskId, first, filter, jump } = question;
      const task = standing.world.tasks.find(({ id }) => id === taskId);
      return judgeList({ read: taskReader(gateway, taskId, filter), first, jump, filter, task }, standing, verdict);
    }
    case "tasksByIds":
      return judgeTasksByIds(question, standing, verdict);
    case "callLog":
      return judgeCallLog(question, standing, verdict);
    case "task": {
      const answer = await gateway.ask(`query($id: ID!) { task(taskId: $id) { ${TASK} } }`, { id: question.taskId });
      judgeTask(answer, ["task"], question.taskId, standing, verdict);
      return answer;
    }
    case "callStats":
      return judgeStats(question, standing, verdict);
    case "events":
      return judgeEvents(question, standing, verdict);
  }
}

function listReader(gateway: AskedGateway, joined: boolean) {
  const query = `query($first: Int!, $after: String, $filter: CallLogFilter) {
    callLogs(first: $first, after: $after, filter: $filter) ${LIST(joined ? JOINED : CALL)} }`;
  return async (filter: ListFilter, first: number, after: string | null) =>
    pageAt(await gateway.ask(query, { first, after, filter }), ["callLogs"], first);
}

function taskReader(gateway: AskedGateway, taskId: string, filter: TaskListFilter): ReadPage {
  const query = `query($id: ID!, $first: Int!, $after: String, $filter: TaskCallLogFilter) {
    task(taskId: $id) { callLogs(first: $first, after: $after, filter: $filter) ${LIST(CALL)} } }`;
  return async (first, after) =>
    pageAt(await gateway.ask(query, { id: taskId, first, after, filter }), ["task", "callLogs"], first);
}

interface ListQuestion {
  read: ReadPage;
  first: number;
  jump?: number;
  filter: ListFilter;
  joined?: boolean;
  task?: Task | undefined;
  /** Its first page, where it was read with others'. */
  page?: WalkedPage | Fault[];
}

async function judgeList(
  { read, first, jump, filter, joined = false, task, page }: ListQuestion,
  standing: Standing,
  verdict: Verdict,
): Promise<Walk> {
  const begins = task && (standing.odd.taskBegins ?? task.createdAt);
  const selection = selectionOf(filter, standing.world, task && { ...task, createdAt: begins as number });
  const begun = standing.service.turn();
  const walked = await walk(read, first, page);
  const right = rightList(selection, standing, joined, begun);
  judgeWalk(walked, right, verdict);
  const cursors = walked.pages.flatMap((each) => each.cursors);
  const isWhole = walked.ended === null && verdict.lies.length === 0 && right.isOrdered && right.moving.size === 0;
  if (jump === undefined || cursors.length === 0 || !isWhole) return walked;
  const place = Math.min(cursors.length - 1, Math.floor(jump * cursors.length));
  const again = await read(first, cursors[place] as string);
  if (Array.isArray(again)) judgeFaults(again, verdict);
  else if (walked.pages.some(({ driftDetected }) => driftDetected) || again.driftDetected) verdict.told.push("drift");
  else {
    const names = again.nodes.map(right.nameIn);
    const wanted = right.rows.slice(place + 1, place + 1 + first).map(right.nameOf);
    if (JSON.stringify(names) !== JSON.stringify(wanted))
      verdict.lies.push(`behind the cursor of row ${place} are ${names.join()}, and should be ${wanted.join()}`);
  }
  return walked;
}

function rightList(selection: Selection, standing: Standing, joined: boolean, begun: number): RightList<Call> {
  const { world, service, semantics, odd } = standing;
  const heard = odd.grants?.heard(selection) ?? selection;
  const turns = Array.from({ length: Math.max(1, service.turn() - begun + 1) }, (_, at) => begun + at);
  const keeps = odd.grants?.keeps ?? (() => true);
  const lists = turns.map((turn) =>
    selectCalls(world, heard, semantics, turn).filter((call) => keeps(call, selection)),
  );
  const ever = [...new Set(lists.flat())];
  const isStatic = lists.every((list) => list.length === ever.length);
  return {
    rows: isStatic ? (lists[0] as Call[]) : ever,
    isOrdered: semantics.order !== "none",
    moving: new Set(ever.filter((call) => !lists.every((list) => list.includes(call)))),
    nameOf: ({ recordFile }) => recordFile,
    nameIn: ({ recordFile }) => recordFile,
    since: instant(selection.since),
    until: instant(selection.until),
    judgeRow(node, call, faults, verdict) {
      if (
        odd.grants &&
        !selectCalls(world, selection, semantics, begun).includes(call) &&
        !odd.grants.grants(call, selection)
      )
        verdict.lies.push(`${call.sessionId} should have been left out`);
      judgeCall(node, call, faults, standing, verdict);
      if (joined) judgeJoined(node, call, faults, standing, verdict);
    },
  };
}

/** What a row and its event tell together: the event is believed, and what it left out, the row tells. */
function believedOf(call: Call, { told, odd }: Standing): { shown: Call; event: Call | undefined; fields: Json } {
  const shown = odd.shows?.(call) ?? call;
  const event = shown.sessionId === null ? undefined : told.get(shown.sessionId);
  const row = callFields(shown) as Json;
  const believed: Json = event ? callFields(event) : row;
  const isTold = (value: unknown) => value !== null && !(Array.isArray(value) && value.length === 0);
  const entries = Object.entries(row).map(([name, value]) => [name, isTold(believed[name]) ? believed[name] : value]);
  const fields = Object.fromEntries(entries) as Json;
  return { shown, event, fields: { ...fields, recordFile: row["recordFile"] } };
}

function judgeCall(node: Json, call: Call, faults: readonly Fault[], standing: Standing, verdict: Verdict): void {
  judgeFields(node, believedOf(call, standing).fields, faults, verdict);
}

function judgeJoined(node: Json, call: Call, faults: readonly Fault[], standing: Standing, verdict: Verdict): void {
  const { event, fields } = believedOf(call, standing);
  const task = standing.world.tasks.find(({ id }) => id === fields["taskId"]);
  const status = task && { ...taskFields(task), ...standing.odd.showsTask?.(task) }.status;
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
      verdict.lies.push(`an assistant is ${assistant.name}, and should be ${name}`);
  }
}

async function judgeTasksByIds(
  { taskIds, first, filter }: Extract<Question, { ask: "tasksByIds" }>,
  standing: Standing,
  verdict: Verdict,
): Promise<unknown> {
  const query = `query($ids: [ID!]!, $first: Int!, $filter: TaskCallLogFilter) { tasksByIds(taskIds: $ids) {
    ${TASK} callLogs(first: $first, filter: $filter) ${LIST(CALL)} } }`;
  const begun = standing.service.turn();
  const answer = await standing.gateway.ask(query, { ids: taskIds, first, filter });
  const walks: unknown[] = [];
  for (const [at, taskId] of taskIds.entries()) {
    if (!judgeTask(answer, ["tasksByIds", at], taskId, standing, verdict)) continue;
    const page = pageAt(answer, ["tasksByIds", at, "callLogs"], first);
    const task = standing.world.tasks.find(({ id }) => id === taskId);
    const read = taskReader(standing.gateway, taskId, filter);
    const own = noVerdict();
    const one = { read, first, filter, task, page };
    walks.push(
      await judgeList(one, { ...standing, service: { ...standing.service, turn: turnFrom(begun, standing) } }, own),
    );
    verdict.told.push(...own.told);
    verdict.lies.push(...own.lies.map((lie) => `calls of task ${taskId}: ${lie}`));
  }
  return { answer, walks };
}

/** Its first asking tells when the common question began. */
function turnFrom(begun: number, { service }: Standing): () => number {
  let isFirst = true;
  return () => {
    const turn = isFirst ? begun : service.turn();
    isFirst = false;
    return turn;
  };
}

/** False where there is no task to look at further. */
function judgeTask(
  answer: Answer,
  path: readonly (string | number)[],
  taskId: string,
  { world, odd }: Standing,
  verdict: Verdict,
): boolean {
  let node: unknown = answer.data;
  for (const step of path) node = (node as Json | null)?.[step];
  const task = world.tasks.find(({ id }) => id === taskId);
  const own = answer.errors.filter((fault) =>
    path.every((step, at) => at >= (fault.path?.length ?? 0) || fault.path?.[at] === step),
  );
  if (node === null || node === undefined) {
    if (task || own.length > 0) judgeFaults(own, verdict);
    return false;
  }
  if (!task) {
    verdict.lies.push(`there is no task ${taskId}`);
    return false;
  }
  const right: Json = { ...taskFields(task), ...odd.showsTask?.(task) };
  judgeFields(
    node as Json,
    right,
    own.map((fault) => ({ ...fault, path: fault.path?.slice(path.length) ?? [] })),
    verdict,
  );
  return true;
}

async function judgeCallLog(
  { call: at, awayMs }: Extract<Question, { ask: "callLog" }>,
  standing: Standing,
  verdict: Verdict,
): Promise<Answer> {
  const { world, gateway, told, semantics, service, odd } = standing;
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
    if (call === undefined) verdict.lies.push("there is no such call");
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
      selectCalls(world, whole, semantics, service.turn()).includes(call) && odd.shows?.(call).sessionId !== null;
    if (told.has(sessionId) || isListed) verdict.lies.push("it is null, and the call is there");
  }
  return answer;
}

/** While the list does not show the call, or does not name it, its event stands alone. */
function judgeFound(node: Json, call: Call, faults: readonly Fault[], standing: Standing, verdict: Verdict): void {
  const { shown, fields } = believedOf(call, standing);
  const event = standing.told.get(call.sessionId ?? "");
  const isAlone = event !== undefined && (shown.sessionId !== call.sessionId || !isListedAround(call, standing));
  const right: Json = isAlone && node["recordFile"] === null ? { ...callFields(event), recordFile: null } : fields;
  judgeFields(node, right, faults, verdict);
  const ended = node["callEnded"] as Json | null;
  if ((ended === null) !== (event === undefined))
    verdict.lies.push(`its event is ${ended === null ? "null" : "there"}`);
  else if (ended && event) judgeFields(ended, eventFields(event), [], verdict);
}

function isListedAround(call: Call, { world, semantics, service, odd }: Standing): boolean {
  const range = { since: call.startAt - 5 * MINUTE, until: (call.endAt ?? call.startAt) + 5 * MINUTE };
  const around = { taskIds: [], assistantIds: [], direction: null, phone: null, kind: null, ...range };
  return selectCalls(world, odd.grants?.heard(around) ?? around, semantics, service.turn()).includes(call);
}

const same = (call: Call) => call;

async function judgeStats(
  { filter, bucket }: Extract<Question, { ask: "callStats" }>,
  { gateway, told, world, odd: { reads = same } }: Standing,
  verdict: Verdict,
): Promise<Answer> {
  const query = `query($filter: CallEndedFilter, $bucket: TimeBucket!) { callStats(filter: $filter) { ${STATS} } }`;
  const answer = await gateway.ask(query, { filter, bucket });
  const stats = answer.data?.["callStats"] as Json | null | undefined;
  if (!stats) judgeFaults(answer.errors, verdict);
  else
    judgeFields(
      stats,
      statsOf(eventsOf([...told.values()].map(reads), filter), bucket, world.zone),
      answer.errors,
      verdict,
    );
  return answer;
}

async function judgeEvents(
  { first, filter, order }: Extract<Question, { ask: "events" }>,
  { gateway, told, odd: { reads = same, revises, atOnce } }: Standing,
  verdict: Verdict,
): Promise<Walk> {
  const query = `query($first: Int!, $after: String, $filter: CallEndedFilter, $order: EventOrder!) {
    callEndedEvents(first: $first, after: $after, filter: $filter, order: $order) {
      ${PAGE_INFO} edges { cursor node { ${EVENT} } } } }`;
  const walked = await walk(
    async (many, after) =>
      pageAt(await gateway.ask(query, { first: many, after, filter, order }), ["callEndedEvents"], many),
    first,
  );
  const passing = new Set(eventsOf([...told.values()].map(reads), filter).map(({ sessionId }) => sessionId));
  // A filter lets a call through at any of its revisions.
  const isAny = revises === true && Object.keys(filter).length > 0;
  const rows = [...told.values()].filter(({ sessionId }) => isAny || passing.has(sessionId));
  const right: RightList<Call> = {
    rows: order === "OLDEST_FIRST" ? rows : rows.toReversed(),
    isOrdered: !atOnce,
    moving: new Set(isAny ? rows : []),
    nameOf: ({ sessionId }) => sessionId,
    nameIn: ({ sessionId }) => sessionId,
    judgeRow: (node, call, faults, verdict) => {
      if (!revises) judgeFields(node, eventFields(call), faults, verdict);
    },
  };
  judgeWalk(walked, right, verdict);
  return walked;
}
