// Submissions as the graph shows them: whoever may create tasks sees all of them, but a key only its own viewer's.
import type { Context } from "./context.ts";
import type { Signer } from "../util/hmac.ts";
import type { Submission, SubmissionPosition } from "../store/tasks/submissionStore.ts";
import type { TaskRecord } from "../upstream/upstream.ts";
import { readNodeId } from "./nodeId.ts";
import { pageInfo, type Edge, type PageInfo } from "./pageInfo.ts";
import { placeCursor, readPlaceCursor } from "./placeCursor.ts";
import { badInput, checkFirst, checkUpstreamId } from "./inputRules.ts";

export interface TaskSubmissionConnection {
  edges: Edge<Submission>[];
  pageInfo: PageInfo;
}

/** Newest first. */
export async function taskSubmissions(
  { first, after }: { first: number; after?: string | null | undefined },
  { submissions, seal, reader, inTurn }: Context,
): Promise<TaskSubmissionConnection> {
  checkFirst(first);
  const place = after == null ? null : readCursor(after, seal);
  const page = { after: place, limit: first + 1 };
  const found = await inTurn(reader, ["submissions", page], () => submissions.page(page));
  const edges = found.slice(0, first).map((node) => ({ node, cursor: cursorOf(node, seal) }));
  return { edges, pageInfo: pageInfo(edges, { hasNextPage: found.length > first, hasPreviousPage: after != null }) };
}

export function taskSubmission(id: string, { submissions, reader, inTurn }: Context): Promise<Submission | null> {
  const key = keyOf(id);
  return inTurn(reader, ["submission", key], () => submissions.byId(key));
}

export async function taskSubmissionByKey(
  idempotencyKey: string,
  { submissions, viewer, reader, inTurn }: Context,
): Promise<Submission | null> {
  const { length } = idempotencyKey;
  const isKey = length > 0 && length <= 255 && idempotencyKey.isWellFormed() && !idempotencyKey.includes("\0");
  if (!isKey) throw badInput("idempotencyKey must be a text of 1 to 255 characters.");
  const { name } = viewer;
  return inTurn(reader, ["submission", name, idempotencyKey], () => submissions.byKey(name, idempotencyKey));
}

export async function taskOfSubmission({ taskId }: Submission, { loaders }: Context): Promise<TaskRecord | null> {
  return taskId === null ? null : loaders.task.load(taskId);
}

export function watchSubmission(
  id: string,
  { submissions }: Context,
): AsyncIterableIterator<Submission | Error | null> {
  return submissions.watch(keyOf(id));
}

export function watchProgress(
  taskId: string,
  { taskProgress, viewer }: Context,
): AsyncIterableIterator<TaskRecord | Error | null> {
  checkUpstreamId("taskId", taskId);
  return taskProgress(taskId, viewer);
}

/** What a watch tells: a failed look is an error of its own item only. */
export function watched<T>(value: T | Error): T {
  if (value instanceof Error) throw value;
  return value;
}

function keyOf(id: string): string {
  const { type, key } = readNodeId(id) ?? { type: "", key: [] };
  if (type !== "TaskSubmission" || key[0] === undefined || key[0].includes("\0")) {
    throw badInput("id is not the id of a submission.");
  }
  return key[0];
}

function cursorOf({ submittedAt, id }: SubmissionPosition, seal: Signer): string {
  return placeCursor("submissions", [submittedAt, id], seal);
}

function readCursor(cursor: string, seal: Signer): SubmissionPosition {
  const [submittedAt, id] = readPlaceCursor("submissions", cursor, seal);
  return { submittedAt, id };
}
