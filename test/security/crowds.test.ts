import { once } from "node:events";
import { WebSocket } from "ws";
import { describe, expect, it } from "vitest";
import { CONNECTION_LIMITS } from "../../src/config/limits.ts";
import { NO_SERVICE, startGateway, temporaryDirectory } from "../support/gateway.ts";
import { bearer, writeKeys } from "../support/keys.ts";
import { openSse } from "../support/streams.ts";
import { until } from "../support/until.ts";

const LIVE = { query: "subscription { callEnded { sessionId } }" };
const HOME = "1.1.1.1";
const ELSEWHERE = "2.2.2.2";

describe("A32, A37: the quota of 1,000 sockets and streams per viewer", () => {
  it("refuses the 1,001st, admits other viewers, and reuses what was released", async () => {
    await using directory = await temporaryDirectory();
    const keys = await writeKeys(directory.path, { web: ["calls:read"], ops: ["calls:read"] });
    await using gateway = await startGateway(NO_SERVICE, { API_KEYS_FILE: keys, TRUST_PROXY: "1", DRAIN_SECONDS: "0" });
    const address = `${gateway.url.replace("http", "ws")}/graphql`;
    const connect = (from: string) =>
      new WebSocket(address, "graphql-transport-ws", {
        headers: { "x-forwarded-for": from },
        perMessageDeflate: false,
      });
    /** The acknowledgement, or the close code and reason. */
    async function enter(from: string, viewer: string) {
      const socket = connect(from);
      await once(socket, "open");
      const said = Promise.race([
        once(socket, "message").then(([data]) => (JSON.parse(String(data)) as { type: string }).type),
        once(socket, "close").then(([code, reason]) => `${code} ${String(reason)}`),
      ]);
      socket.send(JSON.stringify({ type: "connection_init", payload: { authorization: bearer(viewer) } }));
      return { socket, said: await said };
    }
    const stream = (from: string, viewer: string) =>
      openSse(gateway.url, LIVE, { "x-forwarded-for": from, authorization: bearer(viewer) });

    await using first = await stream(HOME, "web");
    expect(first.response.status).toBe(200);
    const inside: Awaited<ReturnType<typeof enter>>[] = [];
    while (inside.length < CONNECTION_LIMITS.perCaller - 1) {
      const some = Math.min(100, CONNECTION_LIMITS.perCaller - 1 - inside.length);
      inside.push(...(await Promise.all(Array.from({ length: some }, () => enter(HOME, "web")))));
    }
    expect(new Set(inside.map(({ said }) => said))).toEqual(new Set(["connection_ack"]));

    // The quota of the viewer is used up for all addresses. Another viewer of the same address has its own.
    for (const from of [HOME, ELSEWHERE]) {
      await using one = await stream(from, "web");
      expect([one.response.status, await one.response.clone().json()]).toMatchObject([
        429,
        { errors: [{ extensions: { code: "RATE_LIMITED", retryAfter: 1 } }] },
      ]);
      expect((await enter(from, "web")).said).toBe("1013 Too many sockets.");
      expect((await enter(from, "ops")).said).toBe("connection_ack");
    }
    const query = await gateway.ask(
      "{ viewer { name } }",
      {},
      { authorization: bearer("web"), "x-forwarded-for": HOME },
    );
    expect(query.status).toBe(200);

    inside[0]?.socket.terminate();
    const again = await until(async () => {
      const one = await enter(ELSEWHERE, "web");
      return one.said === "connection_ack" ? one : null;
    });
    again.socket.terminate();
    for (const { socket } of inside) socket.terminate();
  });
});
