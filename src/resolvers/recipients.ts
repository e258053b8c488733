// The people of a task, as the log shows them: lists and counts, and the person of a call.
import { CodedError } from "../errors.ts";
import type { RecipientOutcome } from "../config/hangUpOutcomes.ts";
import { columnText, type CallEndedEvent } from "../events/callEndedEvent.ts";
import type { Instant } from "../format/instant.ts";
import type { OutcomeCount, Recipient, RecipientFilter } from "../store/projections/recipientStore.ts";
import type { Signer } from "../util/hmac.ts";
import type { Context } from "./context.ts";
import { badInput, checkFirst, checkListLength, mayRead } from "./inputRules.ts";
import { pageInfo, positionCursor, readPositionCursor, type Edge, type PageInfo, type Paging } from "./pageInfo.ts";

/** How long an answer waits for the cursor of `waitFor`. */
export const MAX_WAIT_MS = 5000;

export interface GivenRecipientFilter {
  outcome?: readonly RecipientOutcome[] | null | undefined;
  reasons?: readonly (string | null | undefined)[] | null | undefined;
  minAttempts?: number | null | undefined;
  maxAttempts?: number | null | undefined;
  minTalkTime?: number | null | undefined;
  since?: Instant | null | undefined;
  until?: Instant | null | undefined;
}

export interface RecipientConnection {
  edges: Edge<Recipient>[];
  pageInfo: PageInfo;
  upTo: string | null;
}

export interface RecipientCounts {
  recipients: number;
  attempts: number;
  talkTime: number;
  byOutcome: OutcomeCount[];
  notCalled: number | null;
  upTo: string | null;
}

interface TaskArgs {
  waitFor?: string | null | undefined;
}

export async function recipientsOf(
  taskId: string,
  { first, after, filter, waitFor }: Paging & TaskArgs & { filter?: GivenRecipientFilter | null | undefined },
  context: Context,
): Promise<RecipientConnection> {
  const { recipients, signer, queryOwner } = context;
  checkFirst(first);
  const place = after == null ? null : readCursor(taskId, after, signer);
  const page = { taskId: columnText(taskId), filter: recipientFilter(filter), after: place, limit: first + 1 };
  await waitUntilRead(waitFor, context);
  const { found, upTo } = await recipients.page(queryOwner, page);
  const edges = found.slice(0, first).map((node) => ({ node, cursor: cursorOf(taskId, node, signer) }));
  const info = pageInfo(edges, { hasNextPage: found.length > first, hasPreviousPage: after != null });
  return { edges, pageInfo: info, upTo: shownPlace(upTo, context) };
}

/** `total`: the count of the task's numbers, as the service states it. */
export async function recipientCounts(
  { taskId, total }: { taskId: string; total: number | null },
  { waitFor }: TaskArgs,
  context: Context,
): Promise<RecipientCounts> {
  await waitUntilRead(waitFor, context);
  const { found, upTo } = await context.recipients.counts(context.queryOwner, columnText(taskId));
  const sum = (of: (count: OutcomeCount) => number) => found.reduce((all, count) => all + of(count), 0);
  const recipients = sum((count) => count.recipients);
  return {
    recipients,
    attempts: sum(({ attempts }) => attempts),
    talkTime: sum(({ talkTime }) => talkTime),
    byOutcome: found.toSorted((a, b) => b.recipients - a.recipients || (a.outcome < b.outcome ? -1 : 1)),
    notCalled: total === null || recipients > total ? null : total - recipients,
    upTo: shownPlace(upTo, context),
  };
}

/** Null: the call is of no task, is inbound, or the recipients do not show it yet. */
export async function recipientOfEvent(
  { sessionId, taskId, direction, cursor }: CallEndedEvent,
  context: Context,
): Promise<(Recipient & { attempt: number | null }) | null> {
  mayRead(context);
  if (taskId === null || direction === "inbound") return null;
  if (!(await context.recipients.shows(cursor))) return null;
  const found = await context.known.recipient.load(sessionId);
  // A later revision may have moved the call to another task.
  return found?.taskId === columnText(taskId) ? found : null;
}

/** The newest event of the last call. Null where it is no longer in the log. */
export function lastCallOfRecipient({ lastSession }: Recipient, context: Context): Promise<CallEndedEvent | null> {
  mayRead(context);
  return context.known.newestEvent.load(lastSession);
}

/** The newest comes first. */
export async function callsOfRecipient(
  recipient: Recipient,
  first: number,
  context: Context,
): Promise<CallEndedEvent[]> {
  checkFirst(first);
  const { recipients, queryOwner, queuedRead, known } = context;
  const key = ["calls of a recipient", recipient.taskId, recipient.lastSession, first];
  const sessionIds = await queuedRead(queryOwner, key, () => recipients.callsOf(recipient, first));
  const events = await Promise.all(sessionIds.map((sessionId) => known.newestEvent.load(sessionId)));
  return events.filter((event) => event !== null);
}

async function waitUntilRead(cursor: string | null | undefined, { recipients }: Context): Promise<void> {
  if (cursor == null || (await recipients.waitFor(cursor, MAX_WAIT_MS))) return;
  throw new CodedError(
    "STORE_UNAVAILABLE",
    `The recipients do not show the log up to the cursor of waitFor: waited ${MAX_WAIT_MS / 1000} seconds. Try again.`,
    { retryAfter: 1 },
  );
}

const shownPlace = (upTo: string | null, { cursors }: Context) => (upTo === null ? null : cursors.ofPlace(upTo));

/** Throws BAD_USER_INPUT, and QUERY_TOO_COMPLEX for a long list. */
export function recipientFilter(given: GivenRecipientFilter | null | undefined): RecipientFilter {
  const { outcome, reasons, minAttempts, maxAttempts, minTalkTime, since, until } = given ?? {};
  if (reasons) checkListLength("reasons", reasons);
  if (since != null && until != null && since > until) throw badInput("since must not be after until.");
  if (minAttempts != null && maxAttempts != null && minAttempts > maxAttempts)
    throw badInput("minAttempts must not be more than maxAttempts.");
  return {
    ...(outcome && { outcomes: [...new Set(outcome)] }),
    ...(reasons && { reasons: reasons.map((reason) => columnText(reason ?? null)) }),
    ...(minAttempts != null && { minAttempts }),
    ...(maxAttempts != null && { maxAttempts }),
    ...(minTalkTime != null && { minTalkTime }),
    ...(since != null && { since }),
    ...(until != null && { until }),
  };
}

const listOf = (taskId: string) => `people ${taskId}`;

const cursorOf = (taskId: string, { recipient }: Recipient, signer: Signer): string =>
  positionCursor(listOf(taskId), ["", String(recipient)], signer);

const readCursor = (taskId: string, cursor: string, signer: Signer): number =>
  Number(readPositionCursor(listOf(taskId), cursor, signer)[1]);
