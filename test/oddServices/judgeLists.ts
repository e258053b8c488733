// Judges lists of calls, read page by page to their end and again from a cursor; and tasks, alone and with their lists.
import {
  pageAt,
  walk,
  type Answer,
  type GatewayClient,
  type Fault,
  type ReadPage,
  type Walk,
  type WalkedPage,
} from "./gatewayClient.ts";
import { judgeCall, judgeJoined } from "./judgeCalls.ts";
import { judgeFaults, judgeFields, judgeWalk, emptyVerdict, type ExpectedList, type Verdict } from "./judge.ts";
import { instant, selectionOf, taskFields } from "./oracle.ts";
import type { ListFilter, Question, TaskListFilter } from "./questions.ts";
import { selectCalls, type Selection } from "./selectCalls.ts";
import { CALL, JOINED, LIST, TASK } from "./selections.ts";
import type { Json } from "./service.ts";
import type { TestBed } from "./examine.ts";
import type { Call, Task } from "./world.ts";

export function listReader(gateway: GatewayClient, joined: boolean) {
  const query = `query($first: Int!, $after: String, $filter: CallLogFilter) {
    callLogs(first: $first, after: $after, filter: $filter) ${LIST(joined ? JOINED : CALL)} }`;
  return async (filter: ListFilter, first: number, after: string | null) =>
    pageAt(await gateway.ask(query, { first, after, filter }), ["callLogs"], first);
}

export function taskReader(gateway: GatewayClient, taskId: string, filter: TaskListFilter): ReadPage {
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
  /** Its first page, if it was read together with other lists. */
  page?: WalkedPage | Fault[];
}

export async function judgeList(
  { read, first, jump, filter, joined = false, task, page }: ListQuestion,
  testBed: TestBed,
  verdict: Verdict,
): Promise<Walk> {
  const begins = task && (testBed.odd.taskListStart ?? task.createdAt);
  const selection = selectionOf(filter, testBed.world, task && { ...task, createdAt: begins as number });
  const begun = testBed.service.turn();
  const walked = await walk(read, first, page);
  const right = rightList(selection, testBed, joined, begun);
  judgeWalk(walked, right, verdict);
  const cursors = walked.pages.flatMap((each) => each.cursors);
  const isWhole = walked.ended === null && verdict.wrong.length === 0 && right.isOrdered && right.moving.size === 0;
  if (jump === undefined || cursors.length === 0 || !isWhole) return walked;
  const position = Math.min(cursors.length - 1, Math.floor(jump * cursors.length));
  const again = await read(first, cursors[position] as string);
  // The list may have moved since it was read to its end.
  if (rightList(selection, testBed, joined, begun).moving.size > 0) return walked;
  if (Array.isArray(again)) judgeFaults(again, verdict);
  else if (walked.pages.some(({ driftDetected }) => driftDetected) || again.driftDetected)
    verdict.reported.push("drift");
  else {
    const names = again.nodes.map(right.keyOfNode);
    const wanted = right.rows.slice(position + 1, position + 1 + first).map(right.keyOfRow);
    if (JSON.stringify(names) !== JSON.stringify(wanted))
      verdict.wrong.push(`after the cursor of row ${position} are ${names.join()}, expected ${wanted.join()}`);
  }
  return walked;
}

function rightList(selection: Selection, testBed: TestBed, joined: boolean, begun: number): ExpectedList<Call> {
  const { world, service, semantics, odd } = testBed;
  const understood = odd.tolerance?.understood(selection) ?? selection;
  const turns = Array.from({ length: Math.max(1, service.turn() - begun + 1) }, (_, at) => begun + at);
  const keeps = odd.tolerance?.filter ?? (() => true);
  const lists = turns.map((turn) =>
    selectCalls(world, understood, semantics, turn).filter((call) => keeps(call, selection)),
  );
  const ever = [...new Set(lists.flat())];
  const isStatic = lists.every((list) => list.length === ever.length);
  return {
    rows: isStatic ? (lists[0] as Call[]) : ever,
    isOrdered: semantics.order !== "none",
    moving: new Set(ever.filter((call) => !lists.every((list) => list.includes(call)))),
    isReordered: odd.isReordering === true,
    keyOfRow: ({ recordFile }) => recordFile,
    keyOfNode: ({ recordFile }) => recordFile as string | null,
    since: instant(selection.since),
    until: instant(selection.until),
    judgeRow(node, call, faults, verdict) {
      if (
        odd.tolerance &&
        !selectCalls(world, selection, semantics, begun).includes(call) &&
        !odd.tolerance.allows(call, selection)
      )
        verdict.wrong.push(`${call.sessionId} should have been left out`);
      judgeCall(node, call, faults, testBed, verdict);
      if (joined) judgeJoined(node, call, faults, testBed, verdict);
    },
  };
}

export async function judgeTasksByIds(
  { taskIds, first, filter }: Extract<Question, { ask: "tasksByIds" }>,
  testBed: TestBed,
  verdict: Verdict,
): Promise<object> {
  const query = `query($ids: [ID!]!, $first: Int!, $filter: TaskCallLogFilter) { tasksByIds(taskIds: $ids) {
    ${TASK} callLogs(first: $first, filter: $filter) ${LIST(CALL)} } }`;
  const begun = testBed.service.turn();
  const answer = await testBed.gateway.ask(query, { ids: taskIds, first, filter });
  const walks: unknown[] = [];
  for (const [at, taskId] of taskIds.entries()) {
    if (!judgeTask(answer, ["tasksByIds", at], taskId, testBed, verdict)) continue;
    const page = pageAt(answer, ["tasksByIds", at, "callLogs"], first);
    const task = testBed.world.tasks.find(({ id }) => id === taskId);
    const read = taskReader(testBed.gateway, taskId, filter);
    const own = emptyVerdict();
    const one = { read, first, filter, task, page };
    walks.push(
      await judgeList(one, { ...testBed, service: { ...testBed.service, turn: turnFrom(begun, testBed) } }, own),
    );
    verdict.reported.push(...own.reported);
    verdict.wrong.push(...own.wrong.map((lie) => `calls of task ${taskId}: ${lie}`));
  }
  return { answer, walks };
}

/** Returns `begun` on the first call: the turn when the common query began. */
function turnFrom(begun: number, { service }: TestBed): () => number {
  let isFirst = true;
  return () => {
    const turn = isFirst ? begun : service.turn();
    isFirst = false;
    return turn;
  };
}

export async function judgeOneTask(taskId: string, testBed: TestBed, verdict: Verdict): Promise<Answer> {
  const answer = await testBed.gateway.ask(`query($id: ID!) { task(taskId: $id) { ${TASK} } }`, { id: taskId });
  judgeTask(answer, ["task"], taskId, testBed, verdict);
  return answer;
}

/** False if there is no task to judge further. */
function judgeTask(
  answer: Answer,
  path: readonly (string | number)[],
  taskId: string,
  { world, odd }: TestBed,
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
    verdict.wrong.push(`there is no task ${taskId}`);
    return false;
  }
  const right: Json = { ...taskFields(task), ...odd.shownTask?.(task) };
  judgeFields(
    node as Json,
    right,
    own.map((fault) => ({ ...fault, path: fault.path?.slice(path.length) ?? [] })),
    verdict,
  );
  return true;
}
