import { beforeEach, describe, expect, it } from "vitest";
import { callEndedEvent } from "../support/events.ts";
import { connectTestSandbox } from "../support/gateway.ts";
import { startBoth } from "../support/startBoth.ts";
import { openSocket } from "../support/streams.ts";
import { until } from "../support/until.ts";

const { sandbox, gateway } = await startBoth();
beforeEach(async () => {
  await sandbox.control("DELETE", "faults");
  await sandbox.forget();
});

const lists = async () => (await sandbox.requests()).filter(({ path }) => path === "/openapi/calllog").length;

describe("a call that the service does not list yet", () => {
  it("is shown from its event without a request", async () => {
    const client = openSocket(gateway.url);
    const stream = client.iterate({
      query:
        "subscription { callEnded { sessionId callLog { id sessionId startAt caller answered callEnded { id } } id } }",
    });
    const next = stream.next();
    await until(
      async () =>
        (await gateway.ask<{ gateway: { subscribers: number } }>("{ gateway { subscribers } }")).data?.gateway
          .subscribers === 1,
    );
    const event = callEndedEvent({ session_id: "not listed", caller: "+8613900000009" });
    await gateway.deliver(event);
    const { value } = await next;
    expect(value).toMatchObject({
      data: {
        callEnded: {
          sessionId: "not listed",
          callLog: {
            sessionId: "not listed",
            startAt: "2026-11-20T01:30:00.000Z",
            caller: "+8613900000009",
            answered: true,
          },
        },
      },
    });
    const shown = (value as { data: { callEnded: { id: string; callLog: { callEnded: object } } } }).data.callEnded;
    expect(shown.callLog.callEnded).toEqual({ id: shown.id });
    expect(await lists()).toBe(0);
    await client.dispose();
  });

  it("requests the fields of the list, which are null until it is listed", async () => {
    await gateway.deliver(callEndedEvent({ session_id: "later" }));
    const query = '{ callLog(sessionId: "later") { recordFile duration } }';
    expect(await gateway.ask(query)).toMatchObject({ data: { callLog: { recordFile: null, duration: 60 } } });
    expect(await lists()).toBe(1);
    const call = {
      sessionId: "later",
      startAt: "2026-11-20 09:30:00",
      answerAt: "2026-11-20 09:30:05",
      endAt: "2026-11-20 09:31:00",
      duration: 7,
    };
    await sandbox.control("POST", "seed", { calls: [call] });
    const { data } = await until(async () => {
      const answer = await gateway.ask<{ callLog: { recordFile: string | null } }>(query);
      return answer.data?.callLog.recordFile ? answer : null;
    });
    expect(data).toMatchObject({ callLog: { recordFile: expect.stringContaining("later"), duration: 60 } });
  });

  it("loses only the fields of the list while the service is down", async () => {
    await gateway.deliver(callEndedEvent({ session_id: "down" }));
    await sandbox.control("POST", "faults", { kind: "status", status: 400 });
    const { data, errors } = await gateway.ask('{ callEnded(sessionId: "down") { callLog { sessionId recordFile } } }');
    expect(data).toEqual({ callEnded: { callLog: { sessionId: "down", recordFile: null } } });
    expect(errors?.map(({ extensions }) => extensions["code"])).toEqual(["UPSTREAM_REJECTED"]);
  });
});

describe("the row of an event is found by the event's times", () => {
  const ends = ["inclusive", "endExclusive", "exclusive"];
  const ranges = ["start", "end", "create"].flatMap((field, at) => ends.map((end) => [field, end, at] as const));

  it.each(ranges)(
    "finds an event's row if ranges filter by %s and their ends are %s",
    async (rangeField, rangeEnds, at) => {
      await sandbox.control("PATCH", "quirks", { rangeField, rangeEnds, order: ["newest", "byId", "shuffled"][at] });
      await connectTestSandbox(sandbox, gateway);
      const sessionId = await sandbox.endCall({ answered: true, ringTime: 40, talkTime: 1200 });
      const found = await until(async () => {
        const query = `{ callEnded(sessionId: "${sessionId}") { callLog { recordFile } } }`;
        return (await gateway.ask<{ callEnded: { callLog: { recordFile: string } } | null }>(query)).data?.callEnded;
      });
      expect(found.callLog.recordFile).toContain(sessionId);
      await sandbox.control("DELETE", "quirks");
    },
  );
});

describe("callLog(sessionId)", () => {
  it("finds a call without an event in the service's list", async () => {
    const call = {
      sessionId: "old",
      startAt: "2026-02-03 10:00:00",
      endAt: "2026-02-03 10:01:00",
      callee: "+8613800010001",
    };
    await sandbox.control("POST", "seed", { calls: [call] });
    const find = (around: string) =>
      gateway.ask(`{ callLog(sessionId: "old"${around}) { id sessionId callee callEnded { id } } }`);
    const { data } = await find(', around: "2026-02-03T20:00:00+08:00"');
    expect(data).toMatchObject({ callLog: { sessionId: "old", callee: "+8613800010001", callEnded: null } });
    expect(await find(', around: "2026-02-08T20:00:00+08:00"')).toMatchObject({ data: { callLog: null } });
    expect(await sandbox.requests()).toHaveLength(2);
  });

  it("fails if ten requests cannot cover the range", async () => {
    const calls = Array.from({ length: 1300 }, (_, at) => ({
      sessionId: `busy-${at}`,
      startAt: `2026-03-03 ${String(Math.floor(at / 60)).padStart(2, "0")}:${String(at % 60).padStart(2, "0")}:00`,
    }));
    for (let at = 0; at < calls.length; at += 500)
      await sandbox.control("POST", "seed", { calls: calls.slice(at, at + 500) });
    const around = 'around: "2026-03-03T12:00:00+08:00"';
    const { data, errors } = await gateway.ask(`{ callLog(sessionId: "nowhere", ${around}) { id } }`);
    expect([data, errors?.[0]?.extensions["code"]]).toEqual([{ callLog: null }, "QUERY_TOO_COMPLEX"]);
    expect((await sandbox.requests()).length).toBeLessThanOrEqual(10);
    expect(await gateway.ask(`{ callLog(sessionId: "busy-700", ${around}) { sessionId } }`)).toMatchObject({
      data: { callLog: { sessionId: "busy-700" } },
    });
  });

  it("gives the same node as node(id) and the list", async () => {
    await connectTestSandbox(sandbox, gateway);
    const sessionId = await sandbox.endCall({ answered: true });
    const fields = "id sessionId startAt answerAt endAt duration billsec recordFile assistants { versionId }";
    await until(async () => (await gateway.ask(`{ callEnded(sessionId: "${sessionId}") { id } }`)).data?.["callEnded"]);
    type Shown = { id: string; sessionId: string; recordFile: string };
    // The service signs a new link for each request.
    const unsigned = (call: Shown | undefined) => call && { ...call, recordFile: call.recordFile.split("?")[0] };
    const { data } = await gateway.ask<{ callLogs: { nodes: Shown[] }; callEnded: { callLog: Shown } }>(
      `{ callLogs(first: 100) { nodes { ${fields} } } callEnded(sessionId: "${sessionId}") { callLog { ${fields} } } }`,
    );
    const listed = data?.callLogs.nodes.find((call) => call.sessionId === sessionId);
    expect(listed).toMatchObject({ recordFile: expect.any(String) });
    expect(unsigned(data?.callEnded.callLog)).toEqual(unsigned(listed));
    const query = `query($id: ID!) { node(id: $id) { __typename ... on CallLog { ${fields} } } }`;
    const { node } = (await gateway.ask<{ node: Shown }>(query, { id: listed?.id })).data ?? {};
    expect(unsigned(node)).toEqual({ __typename: "CallLog", ...unsigned(listed) });
  });
});
