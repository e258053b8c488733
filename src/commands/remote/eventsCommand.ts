// `switchboard events`: prints the log of a running gateway, one JSON line for each entry, revisions included. Leaves out
// fields that the key may not see.
import { setTimeout } from "node:timers/promises";
import { createGatewayClient, GatewayRefusal, type GatewayClient } from "./gatewayClient.ts";
import { exitWhenReaderCloses, notify, printLine } from "../output.ts";

interface Options {
  url?: string | undefined;
  /** A cursor. Absent: starts at the oldest entry. */
  after?: string | undefined;
  follow: boolean;
}

interface Page {
  callEndedEvents: { nodes: { cursor: string }[]; pageInfo: { hasNextPage: boolean }; headCursor: string };
}

type Item = { __typename: string; cursor: string };

const RETRY_MS = 1000;

const MISSING = "Entries are missing here: they have expired, are damaged, or were lost in a restore.\n";

export const eventFields = `fragment Entry on CallEnded {
  cursor sessionId revision source receivedAt eventName direction caller callee startAt answerAt endAt duration billsec
  answered ringTime hangupSide hungUpBy hangupReason taskId taskItemId assistants { assistantId versionId }
  unread { field text } extra @include(if: $people) recordUrl @include(if: $recordings) }`;

const PAGE = `query($after: String, $people: Boolean!, $recordings: Boolean!) {
  callEndedEvents(first: 100, after: $after, revisions: true) {
    nodes { ...Entry } pageInfo { hasNextPage } headCursor } } ${eventFields}`;

const STREAM = `subscription($after: String, $people: Boolean!, $recordings: Boolean!) {
  callEndedStream(after: $after, imported: true, revisions: true) { __typename cursor ...Entry } } ${eventFields}`;

export async function eventsCommand({ url, after, follow }: Options, env: NodeJS.ProcessEnv): Promise<number> {
  exitWhenReaderCloses();
  const gateway = createGatewayClient(url, env);
  const shown = await shownTo(gateway);
  const end = await printPages(gateway, after ?? null, shown);
  return follow ? printStream(gateway, end, shown) : 0;
}

/** Which fields the key may see. */
export async function shownTo(gateway: GatewayClient): Promise<{ people: boolean; recordings: boolean }> {
  const { viewer } = await gateway.query<{ viewer: { scopes: string[] } }>("{ viewer { scopes } }");
  return { people: viewer.scopes.includes("people:read"), recordings: viewer.scopes.includes("recordings:read") };
}

/** Prints up to the end of the log, and returns the cursor there. */
async function printPages(gateway: GatewayClient, from: string | null, shown: object): Promise<string> {
  let after = from;
  for (;;) {
    const answer = await gateway.query<Page>(PAGE, { after, ...shown }).catch(cursorAfterGap);
    if (typeof answer === "string") {
      after = answer;
      continue;
    }
    const { callEndedEvents: page } = answer;
    for (const entry of page.nodes) await printLine(entry);
    after = page.nodes.at(-1)?.cursor ?? after;
    // On an empty page, the head was read before the entries, so no later entry is skipped.
    if (!page.pageInfo.hasNextPage) return after ?? page.headCursor;
  }
}

/** Reports a gap, and returns the cursor after it. Throws every other error. */
function cursorAfterGap(error: unknown): string {
  if (!(error instanceof GatewayRefusal) || error.cursor === null) throw error;
  notify(MISSING);
  return error.cursor;
}

/** Never ends: if the gateway goes away, it retries after the last printed cursor. */
async function printStream(gateway: GatewayClient, from: string, shown: object): Promise<never> {
  let after = from;
  for (;;) {
    try {
      const items = gateway.subscribe<{ callEndedStream: Item }>(STREAM, { after, ...shown });
      for await (const { callEndedStream: item } of items) {
        await printItem(item);
        after = item.cursor;
      }
    } catch (error) {
      if (error instanceof GatewayRefusal) throw error;
      notify(`${error instanceof Error ? error.message : String(error)} Retrying.\n`);
    }
    await setTimeout(RETRY_MS);
  }
}

async function printItem({ __typename: kind, ...entry }: Item): Promise<void> {
  if (kind === "CallEnded") await printLine(entry);
  if (kind === "StreamGap") notify(MISSING);
}
