// Helpers for tests of imports of earlier calls from a sandbox.
import type { Sandbox } from "../../sandbox/src/sandbox.ts";
import type { EventSource } from "../../src/events/callEndedEvent.ts";
import { instantOf } from "../../src/format/instant.ts";
import type { HistoryImportState } from "../../src/store/events/historyImportStore.ts";
import type { TestGateway } from "../support/gateway.ts";
import { until } from "../support/until.ts";

export const [MINUTE, HOUR, DAY] = [60_000, 3_600_000, 86_400_000];

/** The import does not wait between its requests, and reconciliation does not search meanwhile. */
export const FAST = { RATE_LIMIT: "1000000", RECONCILE_INTERVAL_S: "86400" };

export interface Import {
  state: HistoryImportState;
  problem: string | null;
  since: string;
  until: string;
  readThrough: string;
  progress: number;
  windows: number;
  calls: number;
  tooOld: number | null;
  leftOut: number;
  startedBy: string;
}

const FIELDS = "state problem since until readThrough progress windows calls tooOld leftOut startedBy";

export interface Imported {
  sessionId: string;
  source: EventSource;
  revision: number;
  endAt: string | null;
  hangupReason: string | null;
}

/** `since`, `until`: epoch milliseconds. */
export async function start(gateway: Pick<TestGateway, "ask">, since: number, end: number | null = null) {
  return gateway.ask<{ importHistory: { isNew: boolean; import: Import } }>(
    `mutation($since: DateTime!, $until: DateTime) { importHistory(since: $since, until: $until) { isNew import { ${FIELDS} } } }`,
    { since: instantOf(since), until: end === null ? null : instantOf(end) },
  );
}

export async function latest(gateway: Pick<TestGateway, "ask">): Promise<Import> {
  const { data, errors } = await gateway.ask<{ historyImport: Import }>(`{ historyImport { ${FIELDS} } }`);
  if (!data) throw new Error(JSON.stringify(errors));
  return data.historyImport;
}

/** The import, when it has ended. */
export const ended = (gateway: Pick<TestGateway, "ask">): Promise<Import> =>
  until(async () => {
    const found = await latest(gateway);
    return found.state === "RUNNING" ? null : found;
  });

/** Starts an import and waits for its end. */
export async function importAll(gateway: TestGateway, since: number, end: number | null = null): Promise<Import> {
  const { errors } = await start(gateway, since, end);
  if (errors) throw new Error(JSON.stringify(errors));
  return ended(gateway);
}

interface Page {
  nodes: Imported[];
  pageInfo: { hasNextPage: boolean; endCursor: string };
}

/** The log in its order, revisions included. */
export async function logOf(gateway: Pick<TestGateway, "ask">): Promise<Imported[]> {
  const entries: Imported[] = [];
  for (let after: string | null = null; ;) {
    const { data }: { data?: { callEndedEvents: Page } | null } = await gateway.ask(
      `query($after: String) { callEndedEvents(first: 100, after: $after, revisions: true) {
        nodes { sessionId source revision endAt hangupReason } pageInfo { hasNextPage endCursor } } }`,
      { after },
    );
    const page: Page | undefined = data?.callEndedEvents;
    if (!page) throw new Error("The gateway gave no page.");
    entries.push(...page.nodes);
    if (!page.pageInfo.hasNextPage) return entries;
    after = page.pageInfo.endCursor;
  }
}

export const sessionsOf = (entries: readonly Pick<Imported, "sessionId">[]): string[] =>
  entries.map(({ sessionId }) => sessionId);

/** Calls that ended in the past, at these epoch milliseconds. They last 20 s. */
export function seedEnds(sandbox: Sandbox, ends: readonly number[], name = "c"): string[] {
  const calls = ends.map((endAt, at) => ({ sessionId: `${name}${at}`, startAt: endAt - 20_000, endAt }));
  sandbox.control.seed({ calls });
  return calls.map(({ sessionId }) => sessionId);
}
