// Reads submissions of createTask. A viewer that may submit or approve sees all of them, but finds by key only its own.
import type { Viewer } from "../auth/scopes.ts";
import type { Signer } from "../util/hmac.ts";
import type { Proposal, Submission, SubmissionPosition } from "../store/tasks/submissionRow.ts";
import type { AssistantOverride } from "../tasks/submissionService.ts";
import type { TaskRecord } from "../upstream/upstream.ts";
import type { Context } from "./context.ts";
import { badInput, checkFirst } from "./inputRules.ts";
import { readNodeId } from "./nodeId.ts";
import { pageInfo, positionCursor, readPositionCursor, type Edge, type PageInfo, type Paging } from "./pageInfo.ts";

export interface TaskSubmissionConnection {
  edges: Edge<Submission>[];
  pageInfo: PageInfo;
}

const MAX_KEY_LENGTH = 255;

/** The newest comes first. */
export async function taskSubmissions(
  { first, after }: Paging,
  { submissions, signer, queryOwner, queuedRead }: Context,
): Promise<TaskSubmissionConnection> {
  checkFirst(first);
  const position = after == null ? null : readCursor(after, signer);
  const page = { after: position, limit: first + 1 };
  const found = await queuedRead(queryOwner, ["submissions", page], () => submissions.page(page));
  const edges = found.slice(0, first).map((node) => ({ node, cursor: cursorOf(node, signer) }));
  return { edges, pageInfo: pageInfo(edges, { hasNextPage: found.length > first, hasPreviousPage: after != null }) };
}

export function taskSubmission(
  id: string,
  { submissions, queryOwner, queuedRead }: Context,
): Promise<Submission | null> {
  const key = submissionKey(id);
  return queuedRead(queryOwner, ["submission", key], () => submissions.byId(key));
}

export async function taskSubmissionByKey(
  idempotencyKey: string,
  { submissions, viewer, queryOwner, queuedRead }: Context,
): Promise<Submission | null> {
  const { length } = idempotencyKey;
  const isKey =
    length > 0 && length <= MAX_KEY_LENGTH && idempotencyKey.isWellFormed() && !idempotencyKey.includes("\0");
  if (!isKey) throw badInput(`idempotencyKey must have 1 to ${MAX_KEY_LENGTH} characters of valid Unicode.`);
  const { name } = viewer;
  return queuedRead(queryOwner, ["submission", name, idempotencyKey], () => submissions.byKey(name, idempotencyKey));
}

export async function taskOfSubmission({ taskId }: Submission, { loaders }: Context): Promise<TaskRecord | null> {
  return taskId === null ? null : loaders.task.load(taskId);
}

/** A viewer sees its own name, with admin every name, and with tasks:approve those of proposals. */
export function submittedBy(submission: Submission, _: object, { viewer }: Context): string | null {
  const seesName = submission.proposal !== null && viewer.scopes.has("tasks:approve");
  return seesName || isOwnOrAdmin(submission, viewer) ? submission.viewer : null;
}

/** A proposal with its submission. */
export interface ProposalOfSubmission extends Proposal {
  submission: Pick<Submission, "id" | "viewer" | "assistantId">;
}

/** Null also for one that is decided. */
export async function proposedOverride(
  { summary, submission: { id } }: ProposalOfSubmission,
  { submissions, queryOwner, queuedRead }: Context,
): Promise<AssistantOverride | null> {
  if (!summary.overridesAssistant) return null;
  return queuedRead(queryOwner, ["override", id], () => submissions.overrideOf(id));
}

export function decidedBy({ decidedBy: name, submission }: ProposalOfSubmission, _: object, { viewer }: Context) {
  return viewer.scopes.has("tasks:approve") || isOwnOrAdmin(submission, viewer) ? name : null;
}

function isOwnOrAdmin({ viewer: submitter }: Pick<Submission, "viewer">, { name, scopes }: Viewer): boolean {
  return submitter === name || scopes.has("admin");
}

/** The submission now and after each change of its status. An error is an item that fails alone. */
export function watchSubmission(
  id: string,
  { submissions }: Context,
): AsyncIterableIterator<Submission | Error | null> {
  return submissions.watch(submissionKey(id));
}

/** The key in the node id of a submission. */
export function submissionKey(id: string): string {
  const { type, key } = readNodeId(id) ?? { type: "", key: [] };
  if (type !== "TaskSubmission" || key[0] === undefined || key[0].includes("\0")) {
    throw badInput("id must be the id of a TaskSubmission.");
  }
  return key[0];
}

function cursorOf({ submittedAt, id }: SubmissionPosition, signer: Signer): string {
  return positionCursor("submissions", [submittedAt, id], signer);
}

function readCursor(cursor: string, signer: Signer): SubmissionPosition {
  const [submittedAt, id] = readPositionCursor("submissions", cursor, signer);
  return { submittedAt, id };
}
