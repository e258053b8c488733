// Each cause to refuse a WebSocket: close code, count, log line, and the reaction of a graphql-ws client.
import { once } from "node:events";
import { readFile } from "node:fs/promises";
import type { AddressInfo } from "node:net";
import { setImmediate } from "node:timers/promises";
import { createClient } from "graphql-ws";
import { describe, expect, it, onTestFinished } from "vitest";
import { WebSocket, WebSocketServer } from "ws";
import type { Admit, Grant } from "../../src/auth/grant.ts";
import { lastingGrant } from "../../src/auth/grant.ts";
import type { Viewer } from "../../src/auth/scopes.ts";
import { CodedError } from "../../src/errors.ts";
import type { RejectedAt } from "../../src/server/serverObserver.ts";
import { createConnectionQuota } from "../../src/server/connections/connectionQuota.ts";
import { createRepeatedCredentials, MAX_ATTEMPTS, showsKeyElsewhere } from "../../src/websocket/authenticateSocket.ts";
import type { SocketServerDeps } from "../../src/websocket/socketServer.ts";
import { refusals } from "../../src/websocket/closeReasons.ts";
import { createLogger } from "../../src/logger.ts";
import { connectionParams } from "../corpus/connectionParams.ts";
import { tempLog } from "../events/callEnded.ts";
import { until } from "../support/until.ts";
import { pipeline } from "../graphql/pipeline.ts";
import { serveSockets } from "./serveSockets.ts";
import { unrestricted } from "../../src/auth/viewerPolicy.ts";

const viewer: Viewer = { name: "web", scopes: new Set(["calls:read"]), ...unrestricted };
const PRESENTED = { authorization: "Bearer secret-of-somebody" };
const rejects = (error: Error): Admit => {
  return async () => {
    throw error;
  };
};

async function serve(admit: Admit, own: Partial<SocketServerDeps> = {}) {
  const counted: [string, string | null][] = [];
  const lines: Record<string, unknown>[] = [];
  const served = await serveSockets({
    pipeline: pipeline(),
    admit,
    knowsViewers: true,
    rejections: { add: (where: RejectedAt, status, address) => void counted.push([`${where} ${status}`, address]) },
    log: createLogger({
      level: "debug",
      secrets: [],
      write: (line) => lines.push(JSON.parse(line) as Record<string, unknown>),
    }),
    ...own,
  });
  return { ...served, counted, lines, causes: () => lines.flatMap(({ causes }) => causes ?? []) };
}
/** The code that a socket is closed with after its connection_init. */
async function codeOf(url: string, payload: object = PRESENTED): Promise<number> {
  const socket = new WebSocket(url, "graphql-transport-ws");
  onTestFinished(() => socket.terminate());
  await once(socket, "open");
  socket.send(JSON.stringify({ type: "connection_init", payload }));
  return (await once(socket, "close"))[0] as number;
}

describe("a WebSocket that is refused", () => {
  const ADDRESS = "127.0.0.1";
  const tooMany = new CodedError("RATE_LIMITED", "Too much.", { retryAfter: 7 });
  const noProvider = new CodedError("UPSTREAM_UNAVAILABLE", "Not there.", { retryAfter: 7 });
  it.each<[string, number, string | null, Admit, object, Partial<SocketServerDeps>]>([
    ["no credentials", 4403, ADDRESS, () => null, {}, {}],
    ["wrong credentials", 4403, ADDRESS, () => null, PRESENTED, {}],
    ["credentials without Bearer", 4403, ADDRESS, () => null, { authorization: "secret-of-somebody" }, {}],
    [
      "credentials elsewhere",
      4403,
      ADDRESS,
      () => null,
      { headers: { Authorization: "Bearer secret-of-somebody" } },
      {},
    ],
    ["credentials elsewhere", 4403, ADDRESS, () => null, { authToken: "secret-of-somebody" }, {}],
    ["no credentials", 4403, ADDRESS, () => null, { headers: {} }, {}],
    ["rate limit", 1013, ADDRESS, rejects(tooMany), PRESENTED, {}],
    ["too many sockets", 1013, ADDRESS, () => lastingGrant(viewer), PRESENTED, { connectionQuota: onlyAddresses() }],
    ["identity provider unavailable", 1013, null, rejects(noProvider), PRESENTED, {}],
    ["failure", 1013, null, rejects(new Error("It broke.")), PRESENTED, {}],
  ])("for %s is closed with %i, counted and logged", async (cause, code, blamed, admit, payload, own) => {
    const { url, counted, causes, lines } = await serve(admit, own);
    expect(await codeOf(url, payload)).toBe(code);
    expect([counted, causes()]).toEqual([[[`websocket ${code}`, blamed]], [{ [cause]: 1 }]]);
    expect(lines.some(({ err }) => err !== undefined)).toBe(cause === "failure");
    expect(JSON.stringify(lines)).not.toContain("secret-of-somebody");
  });

  it("a hundred times is logged once at once, and then with counts", async () => {
    const { url, causes, sockets } = await serve(() => null);
    for (let at = 0; at < 100; at += 1) await codeOf(url, { authorization: `Bearer ${at}` });
    expect(causes()).toEqual([{ "wrong credentials": 1 }]);
    sockets[Symbol.dispose]();
    expect(causes()).toEqual([{ "wrong credentials": 1 }, { "wrong credentials": 99 }]);
  });

  it("with the same wrong credentials for the sixth time is closed with 4401", async () => {
    const { url } = await serve(() => null);
    const codes: number[] = [];
    while (codes.length < MAX_ATTEMPTS + 1) codes.push(await codeOf(url));
    expect(codes).toEqual([4403, 4403, 4403, 4403, 4403, 4401, 4401]);
    expect(await codeOf(url, { authorization: "Bearer another" })).toBe(4403);
  });
});

describe("The payload of a connection_init", () => {
  it.each(connectionParams)("$payload shows a credential elsewhere: $shows", ({ payload, shows }) => {
    expect(showsKeyElsewhere(payload)).toBe(shows);
  });

  it("is not searched deeper than clients write", () => {
    let payload: unknown = { authorization: "Bearer secret" };
    for (let depth = 0; depth < 10_000; depth += 1) payload = { headers: payload };
    expect(showsKeyElsewhere(payload)).toBe(false);
  });
});

describe("repeated credentials", () => {
  const times = (count: number, work: () => unknown) => Array.from({ length: count }, work);

  it("are counted by address for an hour", () => {
    let now = 0;
    const isRepeated = createRepeatedCredentials(() => now);
    expect(times(MAX_ATTEMPTS, () => isRepeated("a", "1.2.3.4"))).toEqual([
      ...times(MAX_ATTEMPTS - 1, () => false),
      true,
    ]);
    expect(isRepeated("a", "5.6.7.8")).toBe(false);
    now = 3_600_000;
    expect(isRepeated("a", "1.2.3.4")).toBe(false);
  });

  it("are remembered up to ten thousand", () => {
    const isRepeated = createRepeatedCredentials(() => 0);
    for (let at = 0; at < 10_000; at += 1) isRepeated(String(at), "1.2.3.4");
    expect(times(20, () => isRepeated("new", "1.2.3.4"))).not.toContain(true);
    expect(times(MAX_ATTEMPTS - 1, () => isRepeated("7", "1.2.3.4"))).toContain(true);
  });
});

describe("a grant that ends", () => {
  const LIVE = { query: "subscription { callEnded { sessionId } }" };

  /** A socket with two subscriptions, and its messages after the grant has ended. */
  async function ended(own: Partial<Viewer>) {
    let current: Viewer | null = { ...viewer, ...own };
    const listeners = new Set<() => void>();
    const grant: Grant = {
      viewer: () => current,
      onChange: (listener) => {
        listeners.add(listener);
        return () => listeners.delete(listener);
      },
    };
    const events = await tempLog();
    const { url, causes } = await serve(() => grant, { pipeline: pipeline({ own: { events } }) });
    const socket = new WebSocket(url, "graphql-transport-ws");
    onTestFinished(() => socket.terminate());
    const messages: unknown[] = [];
    socket.on("message", (data: Buffer) => messages.push(JSON.parse(data.toString())));
    await once(socket, "open");
    socket.send(JSON.stringify({ type: "connection_init", payload: PRESENTED }));
    await once(socket, "message");
    for (const id of ["1", "2"]) socket.send(JSON.stringify({ type: "subscribe", id, payload: LIVE }));
    // One listener of the socket, and one of each subscription.
    await until(() => listeners.size === 3);
    current = null;
    const closed = once(socket, "close");
    // The subscriptions are notified first, which may happen in any run.
    for (const listener of [...listeners].toReversed()) {
      listener();
      await setImmediate();
    }
    return { code: (await closed)[0] as number, messages: messages.slice(1), causes: causes() };
  }

  it("because its key was revoked sends each subscription UNAUTHENTICATED, and closes with 4401", async () => {
    const { code, messages, causes } = await ended({});
    const error = (id: string) => ({ id, type: "error", payload: [{ extensions: { code: "UNAUTHENTICATED" } }] });
    expect(messages).toMatchObject([error("1"), error("2")]);
    expect([code, causes]).toEqual([4401, [{ "revoked credentials": 1 }]]);
  });

  it("with its token closes with 4403, without ending subscriptions, so that the client may use a new token", async () => {
    const { code, messages, causes } = await ended({ tokenEndsAt: Date.now() });
    expect([code, messages, causes]).toEqual([4403, [], [{ "ended token": 1 }]]);
  });
});

describe("the table of close codes in docs/security.md", () => {
  /** Cause, code and reaction of the client, from the table. */
  async function rows(): Promise<[cause: string, code: number, client: string][]> {
    const text = await readFile(new URL("../../docs/security.md", import.meta.url), "utf8");
    const [, table = ""] = text.split("## Close codes");
    return [...table.matchAll(/^\| (.+) \| (\d{4}) \| (final|comes back) \|$/gm)].map(([, cause, code, client]) => [
      cause!,
      Number(code),
      client!,
    ]);
  }

  it("has a row for each cause that is logged", async () => {
    const documented = (await rows()).map(([cause, code]) => `${/\(`(.+)`\)/.exec(cause)?.[1]} ${code}`);
    for (const { cause, code } of Object.values(refusals)) expect(documented).toContain(`${cause} ${code}`);
  });

  it("says what a graphql-ws client with endless retries does", async () => {
    const server = new WebSocketServer({ port: 0, host: "127.0.0.1" });
    onTestFinished(() => server.close());
    await once(server, "listening");
    let code = 0;
    server.on("connection", (socket) => socket.close(code));
    const url = `ws://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const documented = new Map((await rows()).map(([, each, client]) => [each, client]));
    expect(documented.size).toBeGreaterThan(10);
    for (const [each, reaction] of documented) {
      code = each;
      const found = await new Promise((resolve) => {
        const client = createClient({
          url,
          webSocketImpl: WebSocket,
          retryAttempts: Infinity,
          retryWait() {
            resolve("comes back");
            // One retry is enough.
            return new Promise(() => undefined);
          },
        });
        const sink = { next() {}, complete() {}, error: () => resolve("final") };
        client.subscribe({ query: "{ viewer { name } }" }, sink);
      });
      expect([each, found]).toEqual([each, reaction]);
    }
  });
});

/** A quota for addresses, and none for viewers. */
function onlyAddresses(): SocketServerDeps["connectionQuota"] {
  const quota = createConnectionQuota();
  return { acquire: (caller) => (caller.startsWith("viewer ") ? null : quota.acquire(caller)) };
}
