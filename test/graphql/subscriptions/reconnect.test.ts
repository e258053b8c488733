import { once } from "node:events";
import { OperationTypeNode, parse, type ExecutionResult } from "graphql";
import { afterEach, describe, expect, it, vi } from "vitest";
import { WebSocket } from "ws";
import { lastingGrant } from "../../../src/auth/grant.ts";
import type { GraphqlRouteDeps } from "../../../src/server/graphql/graphqlRoute.ts";
import type { OperationPipeline } from "../../../src/graphql/operation.ts";
import { createConnectionQuota } from "../../../src/server/connections/connectionQuota.ts";
import { routeOf } from "../../server/route.ts";
import { serve } from "../../server/serve.ts";
import { until } from "../../support/until.ts";
import { serveSockets } from "../../websocket/serveSockets.ts";
import { unrestricted } from "../../../src/auth/viewerPolicy.ts";

const INIT_MS = 3000;
afterEach(() => void vi.useRealTimers());

const SOURCE = "subscription{callEnded{sessionId}}";
/** A subscription without any event. */
const endless: OperationPipeline = {
  prepare: () => ({
    kind: OperationTypeNode.SUBSCRIPTION,
    document: parse(SOURCE),
    name: null,
    run: async () => stream(),
  }),
};
async function* stream(): AsyncGenerator<ExecutionResult, void, void> {
  await new Promise(() => undefined);
  yield {};
}

/** Accepts every name as a viewer, with a quota of one socket for each caller. */
async function listen(knowsViewers = true): Promise<string> {
  const { url } = await serveSockets({
    pipeline: { prepare: () => ({ errors: [] }) },
    admit: async (name) => (name === undefined ? null : lastingGrant({ name, scopes: new Set(), ...unrestricted })),
    heartbeatTimes: { pingMs: 60_000, stallTimeoutMs: 60_000 },
    connectionQuota: createConnectionQuota(1),
    knowsViewers,
  });
  return url;
}

/** Serves event streams, with a quota of one for each caller. */
function serveStreams({ onLeft = () => {}, ...own }: Partial<GraphqlRouteDeps> & { onLeft?: () => void }) {
  const route = routeOf({
    pipeline: endless,
    fastPath: false,
    admit: async (name) => lastingGrant({ name: name ?? "anyone", scopes: new Set(), ...unrestricted }),
    connectionQuota: createConnectionQuota(1),
    ...own,
  });
  return serve((request, response) => {
    response.once("close", onLeft);
    void route(request, response, {});
  });
}

const init = (name: string) => JSON.stringify({ type: "connection_init", payload: { authorization: name } });

function connect(url: string) {
  const socket = new WebSocket(url, "graphql-transport-ws");
  const closed = new Promise<number>((resolve) => socket.on("close", resolve));
  const failed = new Promise<string>((resolve) => socket.on("error", (error) => resolve(error.message)));
  return { socket, closed, failed };
}

/** "known", or the close code. */
async function come(url: string, name: string) {
  const { socket, closed } = connect(url);
  await once(socket, "open");
  const known = once(socket, "message").then(() => "known");
  socket.send(init(name));
  return { socket, closed, outcome: await Promise.race([known, closed]) };
}

describe("A32: the quota of sockets", () => {
  it("counts an address only until the viewer is known, so that an office behind one address is not refused", async () => {
    const url = await listen();
    for (const name of ["web", "ops", "night"]) expect((await come(url, name)).outcome).toBe("known");
  });

  it("counts a viewer's sockets from any address, and frees them when they close", async () => {
    const url = await listen();
    const first = await come(url, "web");
    expect((await come(url, "web")).outcome).toBe(1013);
    first.socket.terminate();
    await first.closed;
    await until(async () => (await come(url, "web")).outcome === "known");
  });

  it("counts an address with 429 while or where viewers are not known", async () => {
    const url = await listen();
    await once(connect(url).socket, "open");
    expect(await connect(url).failed).toContain("429");
    const open = await listen(false);
    expect((await come(open, "anyone")).outcome).toBe("known");
    expect(await connect(open).failed).toContain("429");
  });
});

describe("A32: the quota of server-sent event streams", () => {
  it.each([
    ["by viewers if they are known", true, "text/event-stream", [200, 200, 429]],
    ["by addresses where they are not", false, "text/event-stream", [200, 429, 429]],
    ["in whatever case they are asked for", true, "Text/EVENT-Stream", [200, 200, 429]],
  ])("counts %s", async (_, knowsViewers, accept, statuses) => {
    await using server = await serveStreams({ knowsViewers });
    // The responses are kept: `fetch` ends the stream of a response that is garbage collected.
    const answers: Response[] = [];
    for (const authorization of ["web", "ops", "web"]) {
      const headers = { accept, authorization };
      answers.push(await fetch(`${server.url}/graphql?query=${SOURCE}`, { headers }));
    }
    expect(answers.map(({ status }) => status)).toEqual(statuses);
  });

  it("holds nothing for a client that disconnected before it was authenticated", async () => {
    const known = Promise.withResolvers<void>();
    const gone = Promise.withResolvers<void>();
    const asked = Promise.withResolvers<void>();
    const admit = async (name = "web") => {
      asked.resolve();
      await known.promise;
      return lastingGrant({ name, scopes: new Set<never>(), ...unrestricted });
    };
    await using server = await serveStreams({ admit, onLeft: gone.resolve });
    const request = new AbortController();
    const ask = (signal: AbortSignal | null) =>
      fetch(`${server.url}/graphql?query=${SOURCE}`, {
        headers: { accept: "text/event-stream", authorization: "web" },
        signal,
      });
    const first = ask(request.signal).catch(() => null);
    await asked.promise;
    request.abort();
    await Promise.all([first, gone.promise]);
    known.resolve();
    const answer = await ask(null);
    expect(answer.status).toBe(200);
    await answer.body?.cancel();
  });
});

describe("a socket whose connection_init came in time", () => {
  it("is accepted even if the gateway reads it too late", async () => {
    const timers = setTimeout;
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    const { socket } = connect(await listen());
    await once(socket, "open");
    const answer = once(socket, "message");
    // The message is sent and the timeout expires before anything can be read.
    timers(() => {
      socket.send(init("web"));
      vi.advanceTimersByTime(INIT_MS);
    }, 0);
    expect(String(await answer)).toContain("connection_ack");
  });
});
