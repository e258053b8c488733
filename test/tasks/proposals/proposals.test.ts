import { afterEach, describe, expect, it } from "vitest";
import { startProposalExpiry } from "../../../src/tasks/proposals/startProposalExpiry.ts";
import { createSignal } from "../../../src/util/signal.ts";
import { databases } from "../../store/databases.ts";
import { silentLog } from "../../support/silentLog.ts";
import { until } from "../../support/until.ts";
import { createTaskInput } from "../input.ts";
import { now } from "../office.ts";
import { idOf, proposalOffice, told, type ProposalOffice } from "./office.ts";

const HOUR = 3_600_000;
const START = now.ms;
afterEach(() => void (now.ms = START));

describe.each(databases)("A proposed task (%s)", (_, database) => {
  const start = async (own: Omit<ProposalOffice, "url"> = {}) =>
    proposalOffice({ ...own, url: (await database.create()).url });

  it("waits with a summary without numbers, and is not sent or counted", async () => {
    const { propose, sent, desk, store, audit } = await start();
    const result = await propose();
    expect(told(result)).toEqual(["PROPOSED", false]);
    const { option } = createTaskInput();
    expect(result.submission).toMatchObject({
      name: "Reminder",
      numberCount: 2,
      sentAt: null,
      proposal: {
        expiresAt: "2026-11-21T09:30:00.000Z",
        summary: {
          lineIds: option.lineIds,
          periods: option.periods,
          startDate: option.startDate,
          overridesAssistant: true,
          skipsDoNotCall: false,
          countries: [{ countryCode: null, people: 2 }],
        },
        decidedAt: null,
      },
    });
    const read = await desk.byId(idOf(result));
    expect(read).toEqual(result.submission);
    expect(JSON.stringify(read)).not.toMatch(/1380001|张三/);
    expect([sent, await store.usage.of("web")]).toEqual([[], null]);
    expect(await audit()).toEqual([["TASK_PROPOSED", "web", 2]]);
  });

  it("is sent as it was proposed when another viewer approves it, and its numbers are erased", async () => {
    const { propose, approve, sent, store, audit, desk } = await start();
    const extra = JSON.parse('{"姓名":"张三","__proto__":{"a":[1,null,"\\u0000\\ud800"]},"n":1.5}') as never;
    const id = idOf(await propose({ numbers: [{ number: " 138 0001 0001 ", extra }, { number: "A068" }] }));
    now.ms += HOUR;
    const result = await approve(id);
    expect(told(result)).toEqual(["ACCEPTED", false]);
    const { idempotencyKey: _key, ...input } = createTaskInput();
    expect(sent).toEqual([
      {
        ...input,
        assistantOverride: {
          globalConfig: { ...input.assistantOverride?.globalConfig, prompt: null },
          speakerId: "5",
        },
        numbers: [
          { number: "138 0001 0001", extra },
          { number: "A068", extra: null },
        ],
      },
    ]);
    expect(Object.keys(sent[0]?.numbers[0]?.extra ?? {})).toEqual(["姓名", "__proto__", "n"]);
    expect(await store.proposals.inputOf(id)).toBeNull();
    expect(await desk.byId(id)).toMatchObject({
      submittedAt: "2026-11-20T09:30:00.000Z",
      sentAt: "2026-11-20T10:30:00.000Z",
      proposal: { decidedAt: "2026-11-20T10:30:00.000Z", decidedBy: "boss" },
    });
    expect(await audit()).toEqual([
      ["TASK_PROPOSED", "web", 2],
      ["TASK_APPROVED", "boss", 2],
    ]);
    expect(told(await approve(id, "other"))).toEqual(["ACCEPTED", true]);
    expect(sent).toHaveLength(1);
  });

  it("has a key like any task: the same input is a replay, another one a conflict", async () => {
    const { propose, submit, approve, sent } = await start();
    const first = await propose();
    expect(await propose()).toEqual({ ...first, replayed: true });
    expect(told(await propose({ name: "Other" }))).toEqual([null, false, "IDEMPOTENCY_CONFLICT"]);
    expect(told(await submit("web", createTaskInput()))).toEqual(["PROPOSED", true]);
    await approve(idOf(first));
    expect(told(await propose())).toEqual(["ACCEPTED", true]);
    expect(sent).toHaveLength(1);
  });

  it("is never approved by an agent, whatever its scopes", async () => {
    const { propose, approve, sent } = await start();
    const id = idOf(await propose());
    await expect(approve(id, "boss", { isAgent: true })).rejects.toMatchObject({ code: "FORBIDDEN" });
    expect(sent).toEqual([]);
    expect(told(await approve(id, "boss"))).toEqual(["ACCEPTED", false]);
  });

  it("is not approved by the viewer that proposed it", async () => {
    const { propose, approve, sent, audit } = await start();
    const id = idOf(await propose());
    expect(told(await approve(id, "web"))).toEqual(["PROPOSED", false, "OWN_PROPOSAL"]);
    expect([sent, await audit()]).toEqual([[], [["TASK_PROPOSED", "web", 2]]]);
  });

  it("is told from a task that was sent at once, and from an unknown id", async () => {
    const { submit, approve, decline } = await start();
    const { submission } = await submit("web", createTaskInput());
    for (const id of [submission?.id ?? "", "unknown", "\0"]) {
      expect(told(await approve(id))).toEqual([null, false, "NOT_PROPOSED"]);
      expect(told(await decline(id))).toEqual([null, false, "NOT_PROPOSED"]);
    }
  });

  it("is declined for a reason, keeps its key and loses its numbers", async () => {
    const { propose, approve, decline, sent, store, audit } = await start();
    const id = idOf(await propose());
    const result = await decline(id, "Too late");
    expect(told(result)).toEqual(["DECLINED", false]);
    expect(result.submission?.proposal).toMatchObject({ decidedBy: "boss", declineReason: "Too late" });
    expect(told(await decline(id, "Again", "other"))).toEqual(["DECLINED", true]);
    expect(told(await approve(id))).toEqual(["DECLINED", false, "DECLINED"]);
    expect(told(await propose())).toEqual(["DECLINED", true, "DECLINED"]);
    expect([sent, await store.proposals.inputOf(id)]).toEqual([[], null]);
    expect(await audit()).toEqual([
      ["TASK_PROPOSED", "web", 2],
      ["TASK_DECLINED", "boss", 2],
    ]);
  });

  it("is not declined after its approval", async () => {
    const { propose, approve, decline } = await start();
    const id = idOf(await propose());
    await approve(id);
    expect(told(await decline(id))).toEqual(["ACCEPTED", false, "APPROVED"]);
  });

  it("expires after 24 hours, and is never sent after", async () => {
    const { propose, approve, decline, sent, store, audit } = await start();
    const id = idOf(await propose());
    now.ms += 24 * HOUR - 1;
    expect(await store.proposals.expire(id, new Date(now.ms).toISOString())).toBe(false);
    now.ms += 1;
    expect(told(await approve(id))).toEqual(["EXPIRED", false, "EXPIRED"]);
    expect(told(await decline(id))).toEqual(["EXPIRED", false, "EXPIRED"]);
    expect(told(await propose())).toEqual(["EXPIRED", true, "EXPIRED"]);
    expect([sent, await store.proposals.inputOf(id)]).toEqual([[], null]);
    expect(await audit()).toEqual([
      ["TASK_PROPOSED", "web", 2],
      ["TASK_EXPIRED", "web", 2],
    ]);
  });

  it("expires although nobody reads it", async () => {
    const { propose, store } = await start();
    const id = idOf(await propose());
    const changes = createSignal();
    const parts = { proposals: store.proposals, changes, clock: () => now.ms, log: silentLog, intervalMs: 20 };
    await using _expiry = startProposalExpiry(parts);
    expect((await store.submissions.byId(id))?.status).toBe("PROPOSED");
    now.ms += 24 * HOUR;
    await until(async () => (await store.submissions.byId(id))?.status === "EXPIRED");
    expect(await store.proposals.inputOf(id)).toBeNull();
  });

  it("tells its watchers each step", async () => {
    const { propose, approve, decline, desk } = await start();
    const statuses = async (id: string, act: () => Promise<unknown>) => {
      const seen: unknown[] = [];
      const watching = (async () => {
        for await (const one of desk.watch(id)) {
          seen.push(one instanceof Error ? one : one?.status);
          if (seen.at(-1) === "ACCEPTED") break;
        }
      })();
      await until(() => seen.length === 1);
      await act();
      await watching;
      return seen;
    };
    const approved = idOf(await propose());
    expect((await statuses(approved, () => approve(approved))).filter((one) => one !== "PENDING")).toEqual([
      "PROPOSED",
      "ACCEPTED",
    ]);
    const declined = idOf(await propose({ idempotencyKey: "2" }));
    expect(await statuses(declined, () => decline(declined))).toEqual(["PROPOSED", "DECLINED"]);
    const expiring = idOf(await propose({ idempotencyKey: "3" }));
    expect(await statuses(expiring, async () => void (now.ms += 24 * HOUR))).toEqual(["PROPOSED", "EXPIRED"]);
  });
});
