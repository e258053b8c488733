import { describe, expect, it } from "vitest";
import type { AuditFilter } from "../../../src/store/audit/auditFilter.ts";
import { runForAgent } from "../../../src/util/agentCall.ts";
import { createQueryOwner } from "../../../src/store/scheduling/queryOwner.ts";
import type { AuditEvent } from "../../../src/store/audit/auditStore.ts";
import type { Store } from "../../../src/store/store.ts";
import type { DatabaseUnderTest } from "../databases.ts";
import { ANY_QUOTA, appendRows, eventRow, open, submission, tempStore, WHOLE } from "../tempStore.ts";
import { recording } from "./recordings.ts";

const AT = "2026-11-20T09:40:00.000Z";
const BY = { actor: "ops", at: AT };
const delivery = {
  receivedAt: "2026-11-20T09:30:00.000Z",
  kind: "UNREADABLE" as const,
  reason: "x",
  charset: null, sessionId: null,
  body: Buffer.from("{"),
};
const ofLi = { number: "", event: (data: string) => data.includes("Li"), delivery: () => false, text: () => false, inputLine: () => false };
const noFiles = async () => undefined;
const entries = ({ audit }: Store) => audit.page({ after: null, limit: 100 });
const shown = ({ action, actor, subject, count }: AuditEvent) => [action, actor, subject, count];

/** The database then takes no entry. A start does not look at triggers. */
const REFUSE_ENTRIES: Record<DatabaseUnderTest["name"], string[]> = {
  SQLite: ["create trigger refuse before insert on audit begin select raise(abort, 'no'); end"],
  PostgreSQL: [
    "create function refuse() returns trigger language plpgsql as $$ begin raise exception 'no'; end $$",
    "create trigger refuse before insert on audit execute function refuse()",
  ],
};

export function auditContract({ name, create }: DatabaseUnderTest): void {
  const fresh = async () => tempStore((await create()).url);

  describe("The audit log", () => {
    it("has an entry for each submission that is kept, with the count of its numbers", async () => {
      const store = await fresh();
      await store.submissions.claim(submission({ id: "1", numberCount: 3 }), ANY_QUOTA);
      await store.submissions.claim(submission({ id: "2" }), ANY_QUOTA);
      await store.submissions.claim(submission({ id: "3", idempotencyKey: "unsent" }), ANY_QUOTA);
      await store.submissions.release("3");
      expect(await entries(store)).toEqual([
        {
          id: 1,
          at: submission({ id: "1" }).submittedAt,
          actor: "web",
          action: "TASK_SUBMITTED",
          subject: "1",
          count: 3,
          agent: null,
        },
      ]);
      expect(await store.audit.byId(1)).toMatchObject({ subject: "1" });
      expect(await store.audit.byId(2)).toBeNull();
    });

    it("has an entry for each delivery that leaves quarantine", async () => {
      const store = await fresh();
      await store.quarantine.add(delivery);
      const removal = { ...BY, action: "DELIVERY_DISCARDED" } as const;
      const removals = await Promise.all([1, 2, 3].map(() => store.quarantine.remove(1, removal)));
      expect(removals.flatMap((removed) => removed?.id ?? [])).toEqual([1]);
      expect((await entries(store)).map(shown)).toEqual([["DELIVERY_DISCARDED", "ops", "1", 1]]);
    });

    it("has one entry per viewer, recording and hour", async () => {
      const store = await fresh();
      const plays = [
        { actor: "web", at: "2026-11-20T09:59:59.999Z", sessionId: "a" },
        { actor: "web", at: "2026-11-20T10:00:00.000Z", sessionId: "a" },
        { actor: "web", at: "2026-11-20T10:30:00.000Z", sessionId: "b" },
        { actor: "ops", at: "2026-11-20T10:30:00.000Z", sessionId: "b" },
      ];
      const [first] = plays;
      await store.recordings.add([recording("a"), recording("b")]);
      const add = (play = first) => store.audit.addPlay({ ...BY, sessionId: "", ...play });
      const noted = await Promise.all([add(), add(), add()]);
      for (const play of [...plays, ...plays, { ...BY, ...first, sessionId: "a", at: "2026-11-20T09:00:00.000Z" }])
        noted.push(await add(play));
      expect(new Set(noted)).toEqual(new Set([true]));
      expect((await entries(store)).toReversed().map(shown)).toEqual(
        plays.map(({ actor, sessionId }) => ["RECORDING_PLAYED", actor, sessionId, 1]),
      );
    });

    it("has an entry for an erasure, and loses the ids of erased calls alone", async () => {
      const store = await fresh();
      await appendRows(store.events, [
        eventRow({ sessionId: "of-Li", data: "Li" }),
        eventRow({ sessionId: "of-Wu", data: "Wu" }),
      ]);
      await store.recordings.add([recording("of-Li"), recording("of-Wu")]);
      for (const sessionId of ["of-Li", "of-Wu"]) await store.audit.addPlay({ ...BY, sessionId });
      await store.submissions.claim(submission({ id: "of-Li" }), ANY_QUOTA);
      await store.eraser.erase(ofLi, noFiles, BY);
      expect((await entries(store)).toReversed().map(shown)).toEqual([
        ["RECORDING_PLAYED", "ops", null, 1],
        ["RECORDING_PLAYED", "ops", "of-Wu", 1],
        ["TASK_SUBMITTED", "web", "of-Li", 2],
        ["PHONE_FORGOTTEN", "ops", null, 1],
      ]);
    });

    it("has no entry that names an erased call, whether it was played before, during or after the erasure", async () => {
      const store = await fresh();
      const { audit, events, eraser, recordings } = store;
      for (let round = 0; round < 20; round += 1) {
        const sessionId = `call-${round}`;
        await appendRows(events, [eventRow({ sessionId, data: "Li" })]);
        await recordings.add([recording(sessionId)]);
        const plays = ["web", "ops", "api"].map((actor) => audit.addPlay({ ...BY, actor, sessionId }));
        await Promise.all([eraser.erase(ofLi, noFiles, BY), ...plays]);
        expect(await audit.addPlay({ ...BY, actor: "late", sessionId })).toBe(false);
      }
      const kept = await entries(store);
      expect(kept.filter(({ action, subject }) => action === "RECORDING_PLAYED" && subject !== null)).toEqual([]);
      expect(kept.map(({ actor }) => actor)).not.toContain("late");
    });

    it("is searched by who, what, about what and when, newest first and page by page", async () => {
      const store = await fresh();
      await store.recordings.add([recording("a"), recording("7")]);
      const plays = [
        { actor: "web", at: "2026-11-01T00:00:00.000Z", sessionId: "a" },
        { actor: "ops", at: "2026-11-02T00:00:00.000Z", sessionId: "a" },
        { actor: "web", at: "2026-11-03T00:00:00.000Z", sessionId: "7" },
      ];
      for (const play of plays) await store.audit.addPlay(play);
      await store.submissions.claim(submission({ id: "7" }), ANY_QUOTA);
      const owner = createQueryOwner("admin");
      const search = async (filter: AuditFilter, after: number | null = null, limit = 9) =>
        (await store.audit.search(owner, filter, { after, limit })).map(({ id }) => id);
      expect(await search({})).toEqual([4, 3, 2, 1]);
      expect(await search({ actors: ["web"] })).toEqual([4, 3, 1]);
      expect(await search({ actors: ["web", "ops"], actions: ["RECORDING_PLAYED"] })).toEqual([3, 2, 1]);
      expect(await search({ actors: ["web"], actions: ["TASK_SUBMITTED", "PHONE_FORGOTTEN"] })).toEqual([4]);
      expect(await search({ subject: { actions: ["RECORDING_PLAYED"], subject: "7" } })).toEqual([3]);
      expect(await search({ subject: { actions: ["RECORDING_PLAYED"], subject: "7\0" } })).toEqual([]);
      expect(await search({ actors: ["web\0", "web"] })).toEqual([4, 3, 1]);
      expect(await search({ since: "2026-11-02T00:00:00.000Z", until: "2026-11-03T00:00:00.000Z" })).toEqual([2]);
      expect(await search({ actors: ["web"] }, 4, 1)).toEqual([3]);
      expect([await search({ actors: [] }), await search({ actions: [] }), await search({ actors: ["WEB"] })]).toEqual([
        [],
        [],
        [],
      ]);
    });

    it("says of each entry whether an agent did it, by which tool and with which program", async () => {
      const store = await fresh();
      const tool = { tool: "propose_task", client: "test-agent" };
      await runForAgent(tool, () => store.submissions.claim(submission({ id: "1" }), ANY_QUOTA));
      await store.submissions.claim(submission({ id: "2", idempotencyKey: "by a person" }), ANY_QUOTA);
      await runForAgent({ tool: "reread", client: null }, () => store.audit.addReread({ ...BY, changed: 1 }));
      // A person's entry of the same hour is another one.
      for (const changed of [2, 3]) await store.audit.addReread({ ...BY, changed });
      const found = (await entries(store)).toReversed();
      expect(found.map(({ agent, count }) => [agent, count])).toEqual([
        [tool, 2],
        [null, 2],
        [{ tool: "reread", client: null }, 1],
        [null, 5],
      ]);
      const byAgents = await store.audit.search(createQueryOwner("admin"), { via: "MCP" }, { after: null, limit: 9 });
      expect(byAgents.map(({ agent }) => agent?.tool)).toEqual(["reread", "propose_task"]);
    });

    it("has pages, newest first, and is purged in steps, oldest first", async () => {
      const store = await fresh();
      await store.recordings.add([recording("a")]);
      for (const day of ["03", "01", "02"])
        await store.audit.addPlay({ actor: "web", at: `2026-11-${day}T00:00:00.000Z`, sessionId: "a" });
      const { audit } = store;
      expect((await audit.page({ after: 3, limit: 1 })).map(({ id }) => id)).toEqual([2]);
      const purge = (limit: number) => audit.purge("2026-11-03T00:00:00.000Z", limit);
      expect([await purge(1), (await audit.page({ after: null, limit: 9 })).map(({ id }) => id)]).toEqual([1, [3, 1]]);
      expect([await purge(10), await purge(10)]).toEqual([1, 0]);
    });
  });

  describe("An action whose entry in the audit log cannot be written", () => {
    it("fails with STORE_UNAVAILABLE and changes nothing", async () => {
      const { url, ask } = await create();
      const before = await open(url);
      await before.quarantine.add(delivery);
      await appendRows(before.events, [eventRow({ sessionId: "a", data: "Li" })]);
      await before.recordings.add([recording("a")]);
      await before[Symbol.asyncDispose]();
      for (const statement of REFUSE_ENTRIES[name]) await ask(statement);
      const store = await tempStore(url);
      const actions = [
        () => store.submissions.claim(submission({ id: "1" }), ANY_QUOTA),
        () => store.quarantine.remove(1, { ...BY, action: "DELIVERY_REPROCESSED" }),
        () => store.eraser.erase(ofLi, noFiles, BY),
        () => store.audit.addPlay({ ...BY, sessionId: "a" }),
      ];
      for (const act of actions) await expect(act()).rejects.toMatchObject({ code: "STORE_UNAVAILABLE" });
      expect(await store.submissions.byId("1")).toBeNull();
      expect(await store.quarantine.count("UNREADABLE")).toBe(1);
      expect(await store.events.read(WHOLE)).toHaveLength(1);
    });
  });
}
