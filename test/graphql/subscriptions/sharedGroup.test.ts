import { setImmediate as nextTurn } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import type { Scope } from "../../../src/auth/scopes.ts";
import type { Context } from "../../../src/resolvers/context.ts";
import { CodedError } from "../../../src/errors.ts";
import type { EventLog } from "../../../src/events/eventLog.ts";
import type { Requester } from "../../../src/upstream/requester.ts";
import { callEnded, headOf, tempLog } from "../../events/callEnded.ts";
import { task, world } from "../../resolvers/world.ts";
import { until } from "../../support/until.ts";
import { codes, pipeline, type PipelineOptions } from "../pipeline.ts";
import { changingGrant, listenTo } from "./sharedAudience.ts";

const READER: Scope[] = ["calls:read"];
const PEOPLE: Scope[] = ["calls:read", "people:read"];
const PHONES = "subscription($after: String) { callEnded(after: $after) { sessionId callee } }";
const TASKS = "subscription { callEnded { sessionId task { name } } }";

const append = (events: EventLog, sessionId: string) => events.append(callEnded({ sessionId }), "WEBHOOK");

/** A pipeline over a real log. `settle` waits until new subscribers are in their group. */
async function over(options: PipelineOptions = {}) {
  const events = await tempLog();
  const made = pipeline({ ...options, own: { ...options.own, events } });
  const settle = async () => {
    for (let turn = 0; turn < 20; turn += 1) await nextTurn();
  };
  const subscribe = async (name: string, scopes: readonly Scope[], query = PHONES, variables = {}) => {
    const { grant, change } = changingGrant(name, scopes);
    return { ...(await listenTo(made, { query, variables }, grant)), change };
  };
  return { events, ...made, subscribe, settle };
}

describe("subscribers with the same request and scopes", () => {
  it("share one execution and one payload for each event, with fresh loaders", async () => {
    let version = 0;
    const loaders = (): Context["loaders"] => {
      version += 1;
      return world({ tasks: { 7: task({ name: `version ${version}` }) } }).context.loaders;
    };
    const { events, subscribe, settle } = await over({ loaders });
    const readers = await Promise.all(["a", "b", "c", "d"].map((name) => subscribe(name, READER, TASKS)));
    await settle();
    const before = version;
    await append(events, "one");
    await append(events, "two");
    await until(() => readers.every(({ received }) => received.length === 2));
    expect(version).toBe(before + 2);
    expect(readers[0]?.events()).toEqual([
      { sessionId: "one", task: { name: `version ${before + 1}` } },
      { sessionId: "two", task: { name: `version ${before + 2}` } },
    ]);
    for (const { shared } of readers) expect(shared[1]).toBe(readers[0]?.shared[1]);
    await Promise.all(readers.map((reader) => reader.leave()));
  });

  it("share a group, whatever cursor each began at", async () => {
    const { events, subscribe, settle } = await over();
    const start = await headOf(events);
    await append(events, "missed");
    const [late, now] = [await subscribe("a", READER, PHONES, { after: start }), await subscribe("b", READER)];
    await settle();
    await append(events, "live");
    await until(() => late.received.length === 2 && now.received.length === 1);
    expect(late.events().map((event) => event["sessionId"])).toEqual(["missed", "live"]);
    expect(late.shared).toHaveLength(1);
    expect(late.shared[0]).toBe(now.shared[0]);
    await Promise.all([late.leave(), now.leave()]);
  });

  it("get the same errors under one request ID, which is in the log", async () => {
    const { events, subscribe, settle, lines } = await over({ tasks: { 7: new Error("down") } });
    const readers = [await subscribe("a", READER, TASKS), await subscribe("b", READER, TASKS)];
    await settle();
    await append(events, "one");
    await until(() => readers.every(({ received }) => received.length === 1));
    const [first, second] = readers.map(({ received }) => received[0]?.errors);
    expect(codes(first)).toEqual(["INTERNAL"]);
    expect(second).toEqual(first);
    expect(lines.join("")).toContain(String(first?.[0]?.extensions["requestId"]));
    await Promise.all(readers.map((reader) => reader.leave()));
  });

  it("do not share with other variables, documents or kinds of items", async () => {
    const { events, subscribe, settle } = await over();
    const filtered = "subscription($filter: CallEndedFilter) { callEnded(filter: $filter) { sessionId callee } }";
    const readers = [
      await subscribe("a", READER, filtered, { filter: { taskIds: ["7"] } }),
      await subscribe("b", READER, filtered, { filter: { taskIds: ["8"] } }),
      await subscribe("c", READER, "subscription { callEnded { callee sessionId } }"),
      await subscribe("d", READER, "subscription { callEndedStream { cursor ... on CallEnded { sessionId } } }"),
    ];
    await settle();
    await append(events, "one");
    await until(() => readers.map(({ received }) => received.length).join() === "1,0,1,2");
    const texts = readers.flatMap(({ shared }) => shared.map(String));
    expect(new Set(texts).size).toBe(3);
    await Promise.all(readers.map((reader) => reader.leave()));
  });
});

describe("subscribers with different scopes", () => {
  it("get what their own scopes allow of the same document", async () => {
    const { events, subscribe, settle } = await over();
    const readers = [await subscribe("a", READER), await subscribe("b", PEOPLE), await subscribe("c", READER)];
    await settle();
    await append(events, "one");
    await until(() => readers.every(({ shared }) => shared.length === 1));
    expect(readers.map((reader) => reader.events()[0]?.["callee"])).toEqual([
      "138****0001",
      "13800010001",
      "138****0001",
    ]);
    expect(readers[0]?.shared[0]).toBe(readers[2]?.shared[0]);
    await Promise.all(readers.map((reader) => reader.leave()));
  });

  it("are masked from the next event on after they lose a scope, and miss nothing", async () => {
    const { events, subscribe, settle } = await over();
    const [kept, lost] = [await subscribe("a", PEOPLE), await subscribe("b", PEOPLE)];
    await settle();
    await append(events, "one");
    await until(() => lost.received.length === 1 && kept.received.length === 1);
    lost.change(READER);
    await append(events, "two");
    await until(() => lost.received.length === 2 && kept.received.length === 2);
    expect(lost.events().map((event) => event["callee"])).toEqual(["13800010001", "138****0001"]);
    expect(kept.events().map((event) => event["callee"])).toEqual(["13800010001", "13800010001"]);
    await Promise.all([kept.leave(), lost.leave()]);
  });

  it("get one last error after they lose a needed scope or all access", async () => {
    const { events, subscribe, settle } = await over();
    const readers = [await subscribe("a", READER), await subscribe("b", READER), await subscribe("c", READER)];
    await settle();
    readers[0]?.change([]);
    readers[1]?.change(null);
    await append(events, "one");
    await until(() => readers[0]?.state.isOver && readers[1]?.state.isOver && readers[2]?.received.length === 1);
    expect(readers.map(({ received }) => received.flatMap(({ errors }) => codes(errors)))).toEqual([
      ["FORBIDDEN"],
      ["UNAUTHENTICATED"],
      [],
    ]);
    await readers[2]?.leave();
  });

  it("get their own address of a recording", async () => {
    const query = "subscription { callEnded { recording { url } } }";
    const row = { sessionId: "one", status: "ARCHIVED" };
    const { context } = world();
    const known = { ...context.known, recording: { load: async () => row } } as unknown as Context["known"];
    const recordings = { address: ({ viewer }: { viewer: string }) => `/for/${viewer}` };
    const own = { known, recordings } as unknown as Partial<Context>;
    const { events, subscribe, settle } = await over({ own });
    const listener: Scope[] = ["calls:read", "recordings:read"];
    const readers = [
      await subscribe("a", listener, query),
      await subscribe("b", listener, query),
      await subscribe("a", listener, query),
    ];
    await settle();
    await append(events, "one");
    await until(() => readers.every(({ shared }) => shared.length === 1));
    expect(readers.map((reader) => reader.events()[0]?.["recording"])).toEqual([
      { url: "/for/a" },
      { url: "/for/b" },
      { url: "/for/a" },
    ]);
    await Promise.all(readers.map((reader) => reader.leave()));
  });
});

describe("the cost of a shared event", () => {
  it("is at most QUERY_BUDGET requests", async () => {
    let requests = 0;
    const loaders = (_: AbortSignal, { payForRequest }: Requester) => {
      const { context } = world();
      const load = async () => {
        // One request was counted, but the response takes three.
        for (const _again of [1, 2, 3]) {
          await payForRequest();
          requests += 1;
        }
        return task();
      };
      return { ...context.loaders, task: { load } } as unknown as Context["loaders"];
    };
    const { events, subscribe, settle } = await over({ loaders, queryBudget: 2 });
    const readers = [await subscribe("a", READER, TASKS), await subscribe("b", READER, TASKS)];
    await settle();
    for (const id of ["one", "two"]) {
      await append(events, id);
      await until(() => readers.every(({ events: all }) => all().at(-1)?.["sessionId"] === id));
    }
    expect(requests).toBe(4);
    for (const { received, shared } of readers) {
      expect(shared).toHaveLength(2);
      expect(received.flatMap(({ errors }) => codes(errors))).toEqual(["QUERY_TOO_COMPLEX", "QUERY_TOO_COMPLEX"]);
    }
    await Promise.all(readers.map((reader) => reader.leave()));
  });

  it("is charged to one member in turn, and to the next if one cannot pay", async () => {
    const payers: string[] = [];
    const loaders = (_: AbortSignal, { payForRequest }: { payForRequest: () => void | Promise<void> }) => {
      const { context } = world({ tasks: { 7: task() } });
      const load = async () => {
        await payForRequest();
        return task();
      };
      return { ...context.loaders, task: { load } } as unknown as Context["loaders"];
    };
    const pay = ({ name }: { name: string }) => {
      payers.push(name);
      if (name === "poor") throw new CodedError("RATE_LIMITED", "Too much.");
    };
    const { events, subscribe, settle } = await over({ loaders, pay });
    const readers: Awaited<ReturnType<typeof subscribe>>[] = [];
    for (const name of ["a", "poor", "b"]) readers.push(await subscribe(name, READER, TASKS));
    await settle();
    for (const id of ["one", "two", "three"]) {
      await append(events, id);
      await until(() => readers.every(({ events: all }) => all().at(-1)?.["sessionId"] === id));
    }
    expect(payers).toEqual(["a", "poor", "b", "a"]);
    expect(readers[0]?.received.every(({ errors }) => errors === undefined)).toBe(true);
    await Promise.all(readers.map((reader) => reader.leave()));
  });
});
