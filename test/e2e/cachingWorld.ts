// A gateway with trusted documents and keys, in front of a service whose data the test changes.
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import { startGateway, temporaryDirectory } from "../support/gateway.ts";
import { bearer, keyOf, sha256Of } from "../support/keys.ts";
import { emptyPage, isProbe, json, serve, wholeTask } from "../upstream/service.ts";

export const NUMBER = "+8613800010001";
/** Not of today, which ends. */
const FIRST = `first: 10, filter: { since: "2026-11-19T16:00:00Z", until: "2026-11-20T15:59:59Z" }`;
const DOCUMENTS = {
  task: "query Task($taskId: ID!) { task(taskId: $taskId) { name total } }",
  calls: `query Calls { callLogs(${FIRST}) { totalCount nodes { sessionId caller billsec } } }`,
  both: `query Both { callLogs(${FIRST}) { nodes { sessionId billsec task { name } } } }`,
  head: `query Head { callLogs(${FIRST}) { headCursor } }`,
  taskHead: `query TaskHead { task(taskId: "7") { callLogs(${FIRST}) { headCursor } } }`,
  stats: `query Stats { callStats { calls } callLogs(${FIRST}) { totalCount } }`,
  events: "query Events { callEndedEvents(first: 10) { nodes { sessionId } } }",
  recordings: `query Recordings { callLogs(${FIRST}) { nodes { recording { status } } } }`,
  viewer: "query Viewer { viewer { name scopes } serviceTimeZone }",
  forget: "mutation Forget($number: String!) { forgetPhone(number: $number) { events } }",
  live: "subscription Live { callEnded { sessionId } }",
};
export type Name = keyof typeof DOCUMENTS;
export const ALL = ["calls:read", "people:read", "recordings:read", "admin"];

/** A service whose data the test changes, and gateways in front of it with trusted documents and keys. */
export async function startWorld(own: Record<string, string> = {}, gatewayCount = 1) {
  const data = { name: "November", rows: [row("session-1", 7)], status: 200 };
  const service = await serve((response, asked, request) => {
    if (isProbe(asked)) return json(emptyPage)(response, asked, request);
    const id = /^\/openapi\/tasks\/(\d+)/.exec(asked.target)?.[1];
    if (id !== undefined)
      return json({ ...wholeTask(), id: Number(id), name: data.name }, data.status)(response, asked, request);
    const items = data.rows;
    json({ items, total: items.length, pageIndex: 1, pageSize: 100 })(response, asked, request);
  });
  onTestFinished(() => service[Symbol.asyncDispose]());
  const directory = await temporaryDirectory();
  onTestFinished(() => directory[Symbol.asyncDispose]());
  const keysFile = join(directory.path, "keys.json");
  const writeKeys = (scopes: Record<string, readonly string[]>, access: Record<string, object> = {}) =>
    writeFile(
      keysFile,
      JSON.stringify(
        Object.entries(scopes).map(([name, own]) => ({
          name,
          sha256: sha256Of(keyOf(name)),
          scopes: own,
          access: access[name],
        })),
      ),
    );
  await writeKeys({ web: ALL, ops: ALL, plain: ["calls:read"], own: ALL }, { own: { submittedBy: "self" } });
  const manifest = join(directory.path, "documents.json");
  await writeFile(manifest, JSON.stringify(DOCUMENTS));
  // An event that reconciliation finds between two requests would change the answer.
  const env = {
    API_KEYS_FILE: keysFile,
    TRUSTED_DOCUMENTS: manifest,
    UPSTREAM_CACHE_MS: "600000",
    RECONCILE_INTERVAL_S: "0",
    ...own,
  };
  const gateways = await Promise.all(Array.from({ length: gatewayCount }, () => startGateway(service, env)));
  for (const gateway of gateways) onTestFinished(() => gateway[Symbol.asyncDispose]());
  const [gateway] = gateways as [(typeof gateways)[0]];
  const worldOf = ({ url }: { url: string }) => ({
    get: (name: Name, { variables, headers = {}, viewer = "web" }: Get = {}) =>
      fetch(addressOf(url, name, variables), {
        headers: { "x-switchboard-preflight": "1", authorization: bearer(viewer), ...headers },
      }),
    async post(name: Name, variables?: unknown, viewer = "web") {
      const headers = { "content-type": "application/json", authorization: bearer(viewer) };
      const body = JSON.stringify({ documentId: name, variables });
      const response = await fetch(`${url}/graphql`, { method: "POST", headers, body });
      return (await response.json()) as { data: unknown };
    },
  });
  return { data, service, gateway, gateways, worldOf, writeKeys, ...worldOf(gateway) };
}

interface Get {
  variables?: unknown;
  headers?: Record<string, string>;
  viewer?: string;
}

function addressOf(url: string, name: Name, variables: unknown): string {
  const params = new URLSearchParams({ documentId: name });
  if (variables !== undefined) params.set("variables", JSON.stringify(variables));
  return `${url}/graphql?${params}`;
}

export function row(sessionId: string, taskId: number) {
  return { sessionId, taskId, caller: NUMBER, callee: "13900002222", startAt: "2026-11-20 09:30:00", assistant: [] };
}

export const SEVEN = { variables: { taskId: "7" } };
export const etagOf = (response: Response) => response.headers.get("etag") ?? "";
export const ageOf = (response: Response) => /max-age=(\d+)/.exec(response.headers.get("cache-control") ?? "")?.[1];
export const holding = (response: Response) => ({ headers: { "if-none-match": etagOf(response) } });
