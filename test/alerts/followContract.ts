// How alerts are followed and found, on both databases.
import * as fc from "fast-check";
import { describe, expect, it, onTestFinished } from "vitest";
import { createAlertService, type AlertPlace } from "../../src/alerts/alertService.ts";
import { instantOf } from "../../src/format/instant.ts";
import type { Store } from "../../src/store/store.ts";
import { createSignal } from "../../src/util/signal.ts";
import { NOW } from "../events/callEnded.ts";
import type { DatabaseUnderTest } from "../store/databases.ts";
import { ANY_QUOTA, submission, tempStore } from "../store/tempStore.ts";
import { silentLog } from "../support/silentLog.ts";
import { seedAlerts, tellAlert, type Seeded } from "./seeded.ts";

const serviceOf = ({ alerts }: Store) =>
  createAlertService({ store: alerts, told: createSignal(), rules: async () => [], log: silentLog });

const first = { after: null, limit: 100 };

/** The rules of the raised alerts that a subscriber gets, up to the rule `end`. Null: it is refused. */
async function followed(store: Store, after: number | AlertPlace): Promise<string[] | null> {
  const notices = await serviceOf(store).follow(typeof after === "number" ? { alert: after } : after);
  if (notices === null) return null;
  const rules: string[] = [];
  try {
    for await (const notice of notices) {
      if (notice === null) return null;
      const { kind, alert } = notice;
      if (kind === "RAISED") rules.push(alert.rule);
      if (alert.rule === "end") break;
    }
  } finally {
    await notices.return?.();
  }
  return rules;
}

const idsOf = async ({ alerts }: Store) => new Map((await alerts.page({}, first)).map(({ rule, id }) => [rule, id]));

export function followContract({ name, create }: DatabaseUnderTest): void {
  describe(`Alerts on ${name} that are followed`, () => {
    it("go on after the last one that a subscriber has, also where nobody was told of that one", async () => {
      const store = await tempStore((await create()).url);
      const [told = []] = fc.sample(fc.array(fc.boolean(), { minLength: 12, maxLength: 12 }), 1);
      const all = told.map((isTold, at): Seeded => ({ rule: `rule-${at}`, subject: "task 7", isTold }));
      await seedAlerts(store, ...all, { rule: "end", subject: "task 7" });
      const ids = await idsOf(store);
      for (const [at, { rule }] of all.entries()) {
        const after = all.slice(at + 1).filter(({ isTold }) => isTold);
        expect(await followed(store, ids.get(rule) ?? 0), JSON.stringify(told)).toEqual([
          ...after.map((each) => each.rule),
          "end",
        ]);
      }
    });

    it("are refused from one on after which some are no longer kept, and no others are", async () => {
      const store = await tempStore((await create()).url);
      const resolvedAt = instantOf(NOW);
      await seedAlerts(
        store,
        { rule: "before", subject: "task 7" },
        { rule: "old", subject: "task 8", resolvedAt },
        { rule: "untold", subject: "task 9", resolvedAt, isTold: false },
        { rule: "after", subject: "task 7" },
        { rule: "end", subject: "task 7" },
      );
      const ids = await idsOf(store);
      expect(await followed(store, ids.get("before") ?? 0)).toEqual(["old", "after", "end"]);
      expect(await store.alerts.purge(instantOf(NOW + 1), 10)).toBe(2);
      expect(await followed(store, ids.get("before") ?? 0)).toBeNull();
      expect(await followed(store, ids.get("old") ?? 0)).toBeNull();
      expect(await followed(store, ids.get("after") ?? 0)).toEqual(["end"]);
    });

    it("go on without a gap after one that was told later than those that were raised after it", async () => {
      const store = await tempStore((await create()).url);
      const late = { rule: "late", subject: "task 7" };
      await seedAlerts(store, { ...late, isTold: false }, { rule: "next", subject: "task 8" });
      await tellAlert(store, late);
      await seedAlerts(store, { rule: "end", subject: "task 9" });
      const ids = await idsOf(store);
      expect(await followed(store, ids.get("late") ?? 0)).toEqual(["next", "late", "end"]);
      expect(await followed(store, ids.get("next") ?? 0)).toEqual(["late", "end"]);
    });

    it("go on from the head, also where nothing of before is kept, and are refused where they fall behind a purge", async () => {
      const store = await tempStore((await create()).url);
      const resolvedAt = instantOf(NOW);
      await seedAlerts(store, { rule: "open", subject: "task 7" }, { rule: "old", subject: "task 8", resolvedAt });
      const behind = await serviceOf(store).follow({ place: 0 });
      onTestFinished(async () => void (await behind?.return?.()));
      expect(await store.alerts.purge(instantOf(NOW + 1), 10)).toBe(1);
      expect(await behind?.next()).toMatchObject({ value: null });
      expect(await followed(store, { place: 0 })).toBeNull();
      const place = await serviceOf(store).head();
      await seedAlerts(store, { rule: "end", subject: "task 9" });
      expect(await followed(store, { place })).toEqual(["end"]);
    });

    it("are found by task while they are open, the newest first", async () => {
      const store = await tempStore((await create()).url);
      const many = Array.from({ length: 25 }, (_, at): Seeded => ({ rule: `rule-${at}`, subject: "task 7" }));
      const over = { rule: "over", subject: "task 8", resolvedAt: instantOf(NOW) };
      await seedAlerts(store, ...many, over, { rule: "open", subject: "task 8" }, { rule: "all", subject: "all" });
      const found = await serviceOf(store).openOf(["7", "8", "9"].map((taskId) => ({ taskId, first: 20 })));
      expect([...found].map(([task, own]) => [task, own.length, own[0]?.rule])).toEqual([
        ["7 20", 20, "rule-24"],
        ["8 20", 1, "open"],
        ["9 20", 0, undefined],
      ]);
    });

    it("are found by what a viewer may see: tasks, submitted tasks, or assistants", async () => {
      const store = await tempStore((await create()).url);
      const id = "s-1";
      await store.submissions.claim(
        submission({ id, viewer: "web", idempotencyKey: id, status: "ACCEPTED" }),
        ANY_QUOTA,
      );
      await store.submissions.resolve(id, "8");
      const subjects = ["task 7", "task 8", "assistant 1", "assistant 2", "all", "key tasksPerHour web"];
      await seedAlerts(store, ...subjects.map((subject) => ({ rule: "rule", subject })));
      const found = async (own: Parameters<Store["alerts"]["page"]>[0]["own"]) =>
        (await store.alerts.page({ own }, first)).map(({ subject }) => subject).toSorted();
      expect(await found({ of: "tasks", taskIds: null, submittedBy: null })).toEqual(["task 7", "task 8"]);
      expect(await found({ of: "tasks", taskIds: ["7", "9"], submittedBy: null })).toEqual(["task 7"]);
      expect(await found({ of: "tasks", taskIds: [], submittedBy: null })).toEqual([]);
      expect(await found({ of: "tasks", taskIds: null, submittedBy: "web" })).toEqual(["task 8"]);
      expect(await found({ of: "tasks", taskIds: ["7"], submittedBy: "web" })).toEqual([]);
      expect(await found({ of: "assistants", assistantIds: ["1"] })).toEqual(["assistant 1"]);
      expect(await found({ of: "assistants", assistantIds: [] })).toEqual([]);
    });

    it("are told at once to a subscriber that begins with new ones", async () => {
      const store = await tempStore((await create()).url);
      const told = createSignal();
      const service = createAlertService({ store: store.alerts, told, rules: async () => [], log: silentLog });
      await seedAlerts(store, { rule: "before", subject: "task 7" });
      const notices = await service.follow(null);
      onTestFinished(async () => void (await notices?.return?.()));
      const next = notices?.next();
      await seedAlerts(store, { rule: "after", subject: "task 7" });
      told.notify();
      expect(await next).toMatchObject({ value: { kind: "RAISED", alert: { rule: "after" } } });
    });
  });
}
