import { once } from "node:events";
import { request } from "node:http";
import { connect } from "node:net";
import { describe, expect, it } from "vitest";
import { spawnGateway, startGateway, temporaryDirectory, type TestGateway } from "../support/gateway.ts";
import { callEndedEvent } from "../support/events.ts";
import { WEBHOOK_AUTHORIZATION } from "../support/sandbox.ts";
import { startBoth } from "../support/startBoth.ts";

const { sandbox, gateway } = await startBoth({ WEBHOOK_AUTHORIZATION_PREVIOUS: "the value before" });

const byId = `query($id: ID!) { callEnded(sessionId: $id) {
  sessionId direction caller callee startAt answerAt endAt duration billsec answered ringTime hangupSide hungUpBy
  hangupReason recordUrl taskId taskItemId assistants { assistantId versionId } extra unread { field text } } }`;

async function readEvent(of: TestGateway, id: unknown): Promise<Record<string, unknown> | null> {
  const { data } = await of.ask<{ callEnded: Record<string, unknown> | null }>(byId, { id });
  return data?.callEnded ?? null;
}

describe("200 {} means that the event is in the log", () => {
  it("answers 200 and exactly {}, and the event can be read with every field", async () => {
    const event = callEndedEvent();
    const response = await gateway.deliver(event);
    expect(response.status).toBe(200);
    expect(response.headers.get("content-type")).toBe("application/json");
    expect(await response.text()).toBe("{}");
    expect(await readEvent(gateway, event.event_data["session_id"])).toEqual({
      sessionId: event.event_data["session_id"],
      direction: "OUTBOUND",
      caller: "A068",
      callee: "+8613800010001",
      startAt: "2026-11-20T01:30:00.000Z",
      answerAt: "2026-11-20T01:30:05.000Z",
      endAt: "2026-11-20T01:31:00.000Z",
      duration: 60,
      billsec: 55,
      answered: true,
      ringTime: 5,
      hangupSide: "CALLEE",
      hungUpBy: "CUSTOMER",
      hangupReason: "NORMAL_CLEARING",
      recordUrl: "https://files.example/recording.wav?signature=canary-signature",
      taskId: "7",
      taskItemId: "71",
      assistants: [{ assistantId: "3", versionId: "31" }],
      extra: { 姓名: "Li" },
      unread: [],
    });
  });

  it("keeps it over a kill -9 that follows the answer", async () => {
    await using directory = await temporaryDirectory();
    const first = await spawnGateway(sandbox, { DATABASE_URL: directory.database });
    const events = Array.from({ length: 40 }, () => callEndedEvent());
    await Promise.all(events.map(async (event) => expect((await first.deliver(event)).status).toBe(200)));
    first.process.kill("SIGKILL");
    await first.exited;
    await using second = await startGateway(sandbox, { DATABASE_URL: directory.database });
    for (const { event_data } of events) expect(await readEvent(second, event_data["session_id"])).not.toBeNull();
  });

  it("answers a duplicate the same, and keeps it once", async () => {
    const event = callEndedEvent({ task_id: 4242 });
    const answers = await Promise.all(Array.from({ length: 20 }, () => gateway.deliver(event)));
    for (const response of answers) expect([response.status, await response.text()]).toEqual([200, "{}"]);
    const { data } = await gateway.ask(`{ callEndedEvents(filter: { taskIds: ["4242"] }) { nodes { sessionId } } }`);
    expect(data).toEqual({ callEndedEvents: { nodes: [{ sessionId: event.event_data["session_id"] }] } });
  });

  it("accepts a trailing slash, any content type and the value that is being changed", async () => {
    const send = (headers: Record<string, string>) =>
      fetch(`${gateway.url}/calllog/`, { method: "POST", headers, body: JSON.stringify(callEndedEvent()) });
    expect((await send({ authorization: WEBHOOK_AUTHORIZATION, "content-type": "text/plain" })).status).toBe(200);
    expect((await send({ authorization: "the value before" })).status).toBe(200);
  });

  it("shows an odd event as far as it can be read", async () => {
    const event = callEndedEvent({
      answer_at: "",
      end_at: "0001-01-01T00:00:00Z",
      start_at: "last Tuesday",
      hangup_side: "network",
      task_id: 0,
      task_item_id: 0,
      direction: "inbound",
      assistant_infos: null,
      record_url: "",
      extra: null,
      billsec: 0,
      websocket_token: "canary-secret-nobody-named",
    });
    const text = JSON.stringify(event).replace('"ring_time":5', '"ring_time":9007199254740993123');
    expect((await gateway.deliver(text)).status).toBe(200);
    expect(await readEvent(gateway, event.event_data["session_id"])).toMatchObject({
      direction: "INBOUND",
      startAt: null,
      answerAt: null,
      endAt: null,
      answered: false,
      hangupSide: null,
      hungUpBy: null,
      taskId: null,
      taskItemId: null,
      assistants: [],
      recordUrl: null,
      extra: null,
      unread: expect.arrayContaining([
        { field: "startAt", text: "last Tuesday" },
        { field: "hangupSide", text: "network" },
      ]) as unknown,
    });
  });

  it("answers 200 for an unreadable delivery, which is kept in quarantine", async () => {
    for (const body of ["not json", "null", "{}", `{"event_name":"x","event_data":{"session_id":""}}`]) {
      const response = await gateway.deliver(body);
      expect([response.status, await response.text()]).toEqual([200, "{}"]);
    }
  });
});

describe("A refused webhook", () => {
  it.each([
    ["no header", undefined],
    ["an empty one", ""],
    ["another value", "wrong"],
    ["the beginning of the value", WEBHOOK_AUTHORIZATION.slice(0, -1)],
    ["more than the value", `${WEBHOOK_AUTHORIZATION}x`],
    ["another case", WEBHOOK_AUTHORIZATION.toUpperCase()],
    ["a scheme before it", `Bearer ${WEBHOOK_AUTHORIZATION}`],
  ])("gets 401 for %s in Authorization, and is not kept", async (_, authorization) => {
    const event = callEndedEvent();
    const response = await fetch(`${gateway.url}/calllog`, {
      method: "POST",
      body: JSON.stringify(event),
      ...(authorization === undefined ? {} : { headers: { authorization } }),
    });
    expect(response.status).toBe(401);
    expect(await readEvent(gateway, event.event_data["session_id"])).toBeNull();
  });

  it("gets 405 for another method than POST, with any credentials", async () => {
    for (const method of ["GET", "PUT", "DELETE"]) {
      const response = await fetch(`${gateway.url}/calllog`, { method });
      expect([response.status, response.headers.get("allow")]).toEqual([405, "POST"]);
    }
  });

  // The gateway reads so much of a refused body. Whether the rest fits into the buffers of the sockets depends on the system.
  const LINGER_BYTES = 1024 * 1024;
  it.each<[number, string, number]>([
    [401, "wrong", LINGER_BYTES],
    [413, WEBHOOK_AUTHORIZATION, LINGER_BYTES],
  ])(
    "gets %i also if its sender reads nothing before its whole body is sent",
    async (status, authorization, length) => {
      const { port } = new URL(gateway.url);
      const head = [
        "POST /calllog HTTP/1.1",
        "host: x",
        `authorization: ${authorization}`,
        `content-length: ${length}`,
      ];
      const socket = connect(Number(port), "127.0.0.1");
      const answer: Buffer[] = [];
      const ended = once(socket, "end");
      socket.write(`${head.join("\r\n")}\r\n\r\n`);
      await new Promise((resolve) => socket.write(Buffer.alloc(length, 0x78), resolve));
      socket.on("data", (chunk: Buffer) => answer.push(chunk));
      await ended;
      expect(Buffer.concat(answer).toString()).toMatch(new RegExp(`^HTTP/1.1 ${status} [^]*\r\n\r\n{}$`));
    },
  );

  it("gets 413 for a body over 256 KiB before the rest was sent", async () => {
    const status = await new Promise((resolve, reject) => {
      const outgoing = request(`${gateway.url}/calllog`, {
        method: "POST",
        headers: { authorization: WEBHOOK_AUTHORIZATION, "content-length": 256 * 1024 + 1 },
      });
      outgoing.on("response", (response) => {
        resolve(response.statusCode);
        outgoing.destroy();
      });
      outgoing.on("error", reject);
      outgoing.write("{");
    });
    expect(status).toBe(413);
  });
});
