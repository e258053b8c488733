import { setImmediate as nextTurn } from "node:timers/promises";
import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { EventLog, FollowRequest, StreamItem } from "../../../src/events/eventLog.ts";
import { createSharedGroup, type SharedGroup } from "../../../src/graphql/subscriptions/sharedGroup.ts";
import { openSubscription } from "../../../src/graphql/subscriptions/subscription.ts";
import { silentLog } from "../../support/silentLog.ts";
import { until } from "../../support/until.ts";
import { appendAll, headOf, names, ownLog } from "../../events/callEnded.ts";
import { unrestricted } from "../../../src/auth/viewerPolicy.ts";

const request: FollowRequest = { after: null, filter: {}, revisions: false };

/** Subscribers over a real log, in one of two groups by their rights. */
function createSubscribers(log: EventLog) {
  const groups = new Map<string, SharedGroup>();
  let executions = 0;
  function groupAt(rights: string, from: string): SharedGroup {
    const group =
      groups.get(rights) ??
      createSharedGroup({
        startCursor: from,
        follow: (after) => log.follow({ ...request, after }),
        async payloadOf(item) {
          executions += 1;
          await nextTurn();
          if (item.kind !== "event") return null;
          const { cursor, sessionId } = item.event;
          return { cursor, json: Buffer.from(sessionId), onSent: () => undefined };
        },
        // Subscribers come, go and change between two sends.
        membersPerTurn: 1,
        onEnd: () => groups.delete(rights),
        log: silentLog,
      });
    groups.set(rights, group);
    return group;
  }

  /** Receives every event behind `after`, from its own reader or from a group. */
  function subscriber(after: string) {
    const received: string[] = [];
    const state = { isSlow: false, rights: "one", direct: 0, sends: 0 };
    let listener = () => undefined as void;
    let items: AsyncIterableIterator<StreamItem> | null = null;
    let cursor = after;
    async function read(from: string): Promise<void> {
      const mine = await openSubscription<StreamItem>({
        async read({ after: cursor, onHead }) {
          const asked = { ...request, after: cursor ?? from };
          const reader = await log.follow(asked, (head) => onHead?.(head, request));
          if (cursor !== null) await reader.next();
          return reader;
        },
        handoff: {
          groupAt: (cursor) => groupAt(state.rights, cursor),
          send(results) {
            if (state.isSlow) return false;
            state.direct += results.length;
            state.sends += 1;
            received.push(...results.map(({ payload }) => String(payload)));
            return true;
          },
        },
        grant: {
          viewer: () => ({ name: "web", scopes: new Set(), ...unrestricted }),
          onChange(newListener) {
            listener = newListener;
            return () => undefined;
          },
        },
        checkRights: () => null,
        enter: () => () => undefined,
      });
      if (!(Symbol.asyncIterator in mine)) throw new Error("it did not begin");
      items = mine;
      for await (const item of mine) {
        if (item.kind === "event") received.push(item.event.sessionId);
        cursor = item.kind === "event" ? item.event.cursor : item.cursor;
        // A slow subscriber takes a turn for each item.
        await nextTurn();
      }
    }
    const reading = read(after);
    return {
      received,
      state,
      changeRights() {
        state.rights = state.rights === "one" ? "two" : "one";
        listener();
      },
      cursor: () => cursor,
      async leave() {
        await until(() => items);
        await items?.return?.();
        await reading;
      },
    };
  }
  return { subscriber, groups, executions: () => executions };
}

const step = fc.oneof(
  fc.record({ append: fc.integer({ min: 1, max: 30 }) }),
  fc.record({ turns: fc.integer({ min: 1, max: 20 }) }),
  fc.record({ slow: fc.nat(2), isSlow: fc.boolean() }),
  fc.record({ change: fc.nat(2) }),
  fc.record({ come: fc.constantFrom("head", "start") }),
  fc.record({ go: fc.nat(2) }),
);

describe("A subscriber with any number of others", () => {
  it("gets every event after its cursor once, while it is slow, changes scopes, and others come and go", async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 3, maxLength: 30 }), async (steps) => {
        const { log, close } = await ownLog();
        const { subscriber, groups } = createSubscribers(log);
        const start = await headOf(log);
        const appended: string[] = [];
        let written = 0;
        const pending: Promise<unknown>[] = [];
        const append = async (count: number) => {
          const ids = names(written, (written += count));
          // One at a time, so that their order is known.
          for (const id of ids) await appendAll(log, [id]).then(() => appended.push(id));
        };
        const present: { from: number; reader: ReturnType<typeof subscriber> }[] = [];
        for (let at = 0; at < 3; at += 1) present.push({ from: 0, reader: subscriber(start) });
        for (const one of steps) {
          if ("append" in one) pending.push((pending.at(-1) ?? Promise.resolve()).then(() => append(one.append)));
          else if ("turns" in one) for (let turn = 0; turn < one.turns; turn += 1) await nextTurn();
          else if ("slow" in one) (present[one.slow] as (typeof present)[number]).reader.state.isSlow = one.isSlow;
          else if ("change" in one) present[one.change]?.reader.changeRights();
          else if ("come" in one && one.come === "start") present.push({ from: 0, reader: subscriber(start) });
          else if ("come" in one) {
            await Promise.all(pending);
            present.push({ from: appended.length, reader: subscriber(await headOf(log)) });
          } else if (present.length > 3) await present.pop()?.reader.leave();
        }
        await Promise.all(pending);
        for (const { reader } of present) reader.state.isSlow = false;
        await append(2);
        await Promise.all(
          present.map(({ from, reader }) => until(() => reader.received.length >= appended.length - from)),
        );
        for (const { from, reader } of present) expect(reader.received).toEqual(appended.slice(from));
        await Promise.all(present.map(({ reader }) => reader.leave()));
        expect(groups.size).toBe(0);
        await close();
      }),
      { numRuns: 20 },
    );
  });

  it("shares one execution with all who are at the head", async () => {
    const { log, close } = await ownLog();
    const { subscriber, groups, executions } = createSubscribers(log);
    const start = await headOf(log);
    const readers = Array.from({ length: 50 }, () => subscriber(start));
    await until(() => groups.get("one")?.members.size === 50);
    await appendAll(log, names(0, 10));
    await until(() => readers.every(({ received }) => received.length === 10));
    expect(executions()).toBe(10);
    expect(readers.every(({ state }) => state.direct === 10)).toBe(true);
    await Promise.all(readers.map((reader) => reader.leave()));
    await close();
  });

  it("gets the events together that arrive during a send", async () => {
    const { log, close } = await ownLog();
    const { subscriber, groups, executions } = createSubscribers(log);
    const start = await headOf(log);
    const readers = Array.from({ length: 20 }, () => subscriber(start));
    await until(() => groups.get("one")?.members.size === 20);
    const ids = names(0, 30);
    await Promise.all(ids.map((id) => appendAll(log, [id])));
    await until(() => readers.every(({ received }) => received.length === 30));
    expect(readers.every(({ received }) => received.join() === readers[0]?.received.join())).toBe(true);
    expect(readers[0]?.received.toSorted()).toEqual(ids.toSorted());
    expect(executions()).toBe(30);
    expect(readers[0]?.state.sends).toBeLessThan(30);
    await Promise.all(readers.map((reader) => reader.leave()));
    await close();
  });

  it("joins its group again after it was slow", async () => {
    const { log, close } = await ownLog();
    const { subscriber, groups } = createSubscribers(log);
    const start = await headOf(log);
    const [slow, quick] = [subscriber(start), subscriber(start)];
    await until(() => groups.get("one")?.members.size === 2);
    slow.state.isSlow = true;
    await appendAll(log, names(0, 5));
    await until(() => quick.received.length === 5 && slow.received.length === 5);
    expect(slow.state.direct).toBe(0);
    slow.state.isSlow = false;
    await until(() => groups.get("one")?.members.size === 2);
    await appendAll(log, names(5, 7));
    await until(() => slow.received.length === 7 && quick.received.length === 7);
    expect(slow.received).toEqual(quick.received);
    expect(slow.state.direct).toBe(2);
    await Promise.all([slow, quick].map((reader) => reader.leave()));
    await close();
  });
});
