// A subscription is told what comes after its place in an order, which the database tells when it begins.
import { describe, expect, it } from "vitest";
import { createSubscriberCount, openSubscription } from "../../../src/graphql/subscriptions/subscription.ts";
import { createAlertService } from "../../../src/alerts/alertService.ts";
import { createSettledRecordings } from "../../../src/recordings/settledRecordings.ts";
import type { Context } from "../../../src/resolvers/context.ts";
import type { Store } from "../../../src/store/store.ts";
import { createSignal } from "../../../src/util/signal.ts";
import { seedAlerts } from "../../alerts/seeded.ts";
import { callEnded, logOver, NOW, tempLog } from "../../events/callEnded.ts";
import { databases } from "../../store/databases.ts";
import { tempStore } from "../../store/tempStore.ts";
import { silentLog } from "../../support/silentLog.ts";
import { until } from "../../support/until.ts";
import { instantOf } from "../../../src/format/instant.ts";
import { codes, pipeline } from "../pipeline.ts";
import { changingGrant } from "./sharedAudience.ts";

/** A part of the context over a store, and how something new is told in it. */
interface Told {
  own: Partial<Context>;
  tell: (name: string) => Promise<unknown>;
}

/** `hold`: wraps the read of the head. */
type Open = (store: Store, hold: (readHead: () => Promise<number>) => () => Promise<number>) => Promise<Told>;

const ofCalls: Open = async ({ events: store }, hold) => {
  const events = await logOver(store);
  const followed = await logOver({ ...store, head: hold(store.head) });
  return {
    own: { events: followed },
    async tell(sessionId) {
      await events.append(callEnded({ sessionId }), "WEBHOOK");
      await followed.refresh();
    },
  };
};

const ofRecordings: Open = async ({ recordings }, hold) => {
  const held = { ...recordings, settledHead: hold(recordings.settledHead) };
  const { follow, notify } = createSettledRecordings(held, silentLog);
  return {
    own: { recordings: { followSettled: follow } } as unknown as Partial<Context>,
    async tell(sessionId) {
      const refused = { url: "https://files.example/a.wav", refusal: "It is refused." };
      await recordings.add([{ sessionId, revision: 1, receivedAt: instantOf(NOW), ...refused }]);
      notify();
    },
  };
};

const ofAlerts: Open = async (store, hold) => {
  const told = createSignal();
  const held = { ...store.alerts, noticeHead: hold(store.alerts.noticeHead) };
  return {
    own: { alerts: createAlertService({ store: held, told, rules: async () => [], log: silentLog }) },
    async tell(rule) {
      await seedAlerts(store, { rule, subject: "task 7" });
      told.notify();
    },
  };
};

const fields = [
  ["callEnded", "subscription { told: callEnded { name: sessionId } }", ofCalls],
  ["recordingSettled", "subscription { told: recordingSettled { name: sessionId } }", ofRecordings],
  ["alertRaised", "subscription { told: alertRaised { name: rule } }", ofAlerts],
] as const;

describe.each(databases)("On %s", (_, { create }) => {
  it.each(fields)(
    "%s is counted when it has its place, and is told all that comes after",
    async (_field, query, open) => {
      const answering = Promise.withResolvers<void>();
      let [isHeld, isAsked] = [false, false];
      const { own, tell } = await open(await tempStore((await create()).url), (readHead) => async () => {
        isAsked = isHeld;
        if (isHeld) await answering.promise;
        return readHead();
      });
      isHeld = true;
      const { subscribe, subscribers } = pipeline({ own });
      const opening = subscribe(query);
      await until(() => isAsked);
      await tell("before");
      expect(subscribers.running()).toBe(0);
      answering.resolve();
      await until(() => subscribers.running() === 1);
      await tell("after");
      const results = await opening;
      expect(await results.next()).toMatchObject({ value: { data: { told: { name: "after" } } } });
      await results.return?.();
      expect(subscribers.running()).toBe(0);
    },
  );
});

describe("A subscription that ends before it has its place", () => {
  it("is counted as one that has ended", async () => {
    const reasons: string[] = [];
    const { enter, running } = createSubscriberCount((reason) => reasons.push(reason));
    const { grant, change } = changingGrant("web", ["calls:read"]);
    const reading = Promise.withResolvers<AsyncIterableIterator<object>>();
    const opening = openSubscription<object>({
      read: () => reading.promise,
      handoff: null,
      grant,
      checkRights: () => (grant.viewer() ? null : { errors: ["revoked"] }),
      enter,
    });
    change(null);
    expect([running(), reasons]).toEqual([0, ["revoked"]]);
    reading.resolve(nothing());
    const results = await opening;
    if (!(Symbol.asyncIterator in results)) throw new Error("The subscription was refused.");
    expect(await results.next()).toEqual({ done: false, value: { errors: ["revoked"] } });
    expect(await results.next()).toEqual({ done: true, value: undefined });
    expect([running(), reasons]).toEqual([0, ["revoked"]]);
  });

  it.each([
    ["its viewer", null, "UNAUTHENTICATED"],
    ["a scope", ["calls:read"] as const, "FORBIDDEN"],
  ])("does not begin where it lost %s since it was prepared", async (_, scopes, code) => {
    const { prepare, subscribers } = pipeline({ own: { events: await tempLog() } });
    const { grant, change } = changingGrant("web", ["calls:read", "people:read"]);
    const operation = prepare({ query: "subscription { callEnded { sessionId extra } }" }, grant);
    if ("errors" in operation) throw new Error(JSON.stringify(operation.errors));
    change(scopes);
    const result = await operation.run(null);
    if (Symbol.asyncIterator in result) {
      await result.return?.();
      throw new Error("It began.");
    }
    expect(codes(result.errors)).toEqual([code]);
    expect(subscribers.running()).toBe(0);
  });

  it("is counted as failed where its place cannot be read", async () => {
    const reasons: string[] = [];
    const { enter, running } = createSubscriberCount((reason) => reasons.push(reason));
    const { grant } = changingGrant("web", ["calls:read"]);
    const failed = { errors: ["away"] };
    const read = async () => failed;
    expect(await openSubscription<object>({ read, handoff: null, grant, checkRights: () => null, enter })).toBe(failed);
    expect([running(), reasons]).toEqual([0, ["failed"]]);
  });
});

async function* nothing(): AsyncGenerator<object, undefined> {}
