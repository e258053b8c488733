// A filter by phone number finds every writing of it: in events, streams and statistics, and in the service's list, whether the service
// compares whole texts or parts.
import { beforeAll, beforeEach, describe, expect, it } from "vitest";
import { callEndedEvent } from "../support/events.ts";
import { startBoth } from "../support/startBoth.ts";
import { openSse } from "../support/streams.ts";

/** As callers, services and earlier tasks write one number. The first is that of an inbound call. */
const WRITINGS = ["+447700900069", "07700900069", "447700900069", "+44 7700 900069", "07700 900069 ext. 5"];
const ASKED = ["+44 7700 900 069", "447700900069", "07700900069", "+44 (0)7700 900069", "'+447700900069", "7700900069"];

const { sandbox, gateway } = await startBoth({ UPSTREAM_CACHE_MS: "0" });
beforeAll(async () => {
  const calls = WRITINGS.map((callee, at) => ({
    sessionId: `s-${at}`,
    callee,
    startAt: `2026-02-01 09:0${at}:00`,
    endAt: `2026-02-01 09:0${at}:30`,
    direction: "outbound",
  }));
  const other = { ...calls[0], sessionId: "other", callee: "+447700900068" };
  await sandbox.control("POST", "seed", { calls: [...calls, other] });
  for (const { sessionId, callee } of [...calls, other])
    expect((await gateway.deliver(callEndedEvent({ session_id: sessionId, callee }))).status).toBe(200);
});
beforeEach(() => sandbox.forget());

const SINCE = "2026-01-31T00:00:00Z";
const all = WRITINGS.map((_, at) => `s-${at}`);

describe("A filter by phone number of the log", () => {
  it.each(ASKED)("finds the events of %s in every writing, and counts them", async (phone) => {
    const query = `query($phone: String) {
      callEndedEvents(first: 20, filter: { phone: $phone }) { nodes { sessionId } }
      callStats(filter: { phone: $phone }) { calls }
    }`;
    type Found = { callEndedEvents: { nodes: { sessionId: string }[] }; callStats: { calls: number } };
    const { data } = await gateway.ask<Found>(query, { phone });
    expect(data?.callEndedEvents.nodes.map(({ sessionId }) => sessionId)).toEqual(all);
    expect(data?.callStats).toEqual({ calls: all.length });
  });

  it("finds the events of a stream in every writing", async () => {
    const query = "subscription($phone: String) { callEnded(filter: { phone: $phone }) { sessionId } }";
    await using stream = await openSse<{ callEnded: { sessionId: string } }>(gateway.url, {
      query,
      variables: { phone: "+44 7700 900 067" },
    });
    for (const [at, callee] of ["+447700900068", "07700 900067", "447700900067"].entries())
      await gateway.deliver(callEndedEvent({ session_id: `live-${at}`, callee }));
    expect((await stream.next()).data?.callEnded.sessionId).toBe("live-1");
    expect((await stream.next()).data?.callEnded.sessionId).toBe("live-2");
  });

  it.each(["13800010001 13800010002", "1.38E+10"])("says why %s is no number", async (phone) => {
    const { errors } = await gateway.ask(
      "query($phone: String) { callEndedEvents(filter: { phone: $phone }) { headCursor } }",
      { phone },
    );
    expect(errors?.[0]?.extensions["code"]).toBe("BAD_USER_INPUT");
    expect(errors?.[0]?.message).toMatch(/holds several|was rounded/);
  });
});

interface List {
  callLogs: {
    totalCount: number;
    nodes: { sessionId: string }[];
    pageInfo: { hasNextPage: boolean; endCursor: string | null };
    phoneWritings: { text: string; totalCount: number }[] | null;
  };
}
const LIST = `query($phone: String, $first: Int!, $after: String) {
  callLogs(first: $first, after: $after, filter: { phone: $phone, since: "${SINCE}", until: "2026-02-02T00:00:00Z" }) {
    totalCount nodes { sessionId } pageInfo { hasNextPage endCursor } phoneWritings { text totalCount }
  }
}`;
async function list(phone: string, first = 20, after: string | null = null) {
  const { data, errors } = await gateway.ask<List>(LIST, { phone, first, after });
  if (!data?.callLogs) throw new Error(JSON.stringify(errors));
  return data.callLogs;
}
const sorted = ({ nodes }: List["callLogs"]) => nodes.map(({ sessionId }) => sessionId).toSorted();

describe("A filter by phone number of the service's list", () => {
  it.each(ASKED)("finds the calls of %s in the writings that the log knows, and says which it asked", async (phone) => {
    const found = await list(phone);
    expect(sorted(found)).toEqual(all);
    expect(found.totalCount).toBe(all.length);
    expect(found.phoneWritings?.filter(({ totalCount }) => totalCount === 1)).toHaveLength(WRITINGS.length);
  });

  it("pages through the joined lists, each call once", async () => {
    const sessions: string[] = [];
    for (let after: string | null = null, pages = 0; pages < 10; pages += 1) {
      const page: List["callLogs"] = await list("07700900069", 2, after);
      expect(page.totalCount).toBe(all.length);
      sessions.push(...page.nodes.map(({ sessionId }) => sessionId));
      if (!page.pageInfo.hasNextPage) break;
      after = page.pageInfo.endCursor;
    }
    expect(sessions.toSorted()).toEqual(all);
  });

  it("never answers 0 silently: it names the writings that were asked", async () => {
    const found = await list("+44 7700 900 001");
    expect(found.totalCount).toBe(0);
    expect(found.phoneWritings).toEqual(
      ["7700900001", "+447700900001", "447700900001", "07700900001"].map((text) => ({ text, totalCount: 0 })),
    );
    expect((await list("A068")).phoneWritings).toMatchObject([{ text: "A068" }]);
  });

  it("has each call of a service that compares parts once", async () => {
    await sandbox.control("PATCH", "quirks", { phoneMatch: "contains" });
    for (const phone of ASKED) expect(sorted(await list(phone))).toEqual(all);
    await sandbox.control("PATCH", "quirks", { phoneMatch: "exact" });
  });
});
