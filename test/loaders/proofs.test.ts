import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { openSharedProofs, PROOF_LIFE_MS } from "../../src/loaders/proofs.ts";
import type { ProofStore } from "../../src/store/shared/proofStore.ts";
import { databases } from "../store/databases.ts";
import { tempStore } from "../store/tempStore.ts";
import { createLogger, type Logger } from "../../src/logger.ts";
import { silentLog } from "../support/silentLog.ts";
import { until } from "../support/until.ts";

const NOW = Date.parse("2026-11-20T09:30:00.000Z");

function proofsOf(store: ProofStore, own: { clock?: () => number; service?: string; log?: Logger } = {}) {
  return openSharedProofs({ store, service: "a1", clock: () => NOW, log: silentLog, intervalMs: 1, ...own });
}

describe.each(databases)("Proofs on %s", (_, { create }) => {
  const storeOf = async () => (await tempStore((await create()).url)).proofs;

  it("are kept over a restart, up to their size", async () => {
    const store = await storeOf();
    {
      await using before = await proofsOf(store);
      before.of("several tasks").confirm(3);
      before.of("list ends").confirm();
    }
    await using after = await proofsOf(store);
    const tasks = after.of("several tasks");
    expect([1, 3, 4].map((size) => tasks.isProven(size))).toEqual([true, true, false]);
    expect(after.of("list ends").isProven()).toBe(true);
    expect(after.of("exact totals").isProven()).toBe(false);
  });

  it("reach the other gateways, and so does a contradiction", async () => {
    const store = await storeOf();
    await using one = await proofsOf(store);
    await using other = await proofsOf(store);
    one.of("exact totals").confirm(5);
    other.of("exact totals").confirm(1200);
    await until(() => one.of("exact totals").isProven(1200));
    other.of("exact totals").contradict();
    await until(() => !one.of("exact totals").isProven());
    expect(one.of("exact totals").isContradicted()).toBe(false);
    one.of("exact totals").confirm(7);
    await until(async () => (await store.all("a1", NOW)).some(({ size }) => size === 7));
    // What this gateway saw itself counts until it sees the opposite.
    expect(other.of("exact totals").isProven()).toBe(false);
  });

  it("hold after a contradiction only as far as they were confirmed since", async () => {
    const store = await storeOf();
    {
      await using gateway = await proofsOf(store);
      gateway.of("several tasks").confirm(9);
    }
    {
      await using gateway = await proofsOf(store);
      gateway.of("several tasks").contradict();
      gateway.of("several tasks").confirm(2);
    }
    expect(await store.all("a1", NOW)).toEqual([{ name: "several tasks", size: 2 }]);
  });

  it("expire, in the database and in a gateway that runs", async () => {
    const store = await storeOf();
    let now = NOW;
    await using gateway = await proofsOf(store, { clock: () => now });
    gateway.of("list ends").confirm();
    await until(async () => (await store.all("a1", now)).length === 1);
    now += PROOF_LIFE_MS - 1;
    expect(await store.all("a1", now)).toHaveLength(1);
    expect(gateway.of("list ends").isProven()).toBe(true);
    now += 1;
    await until(() => !gateway.of("list ends").isProven());
    expect(await store.all("a1", NOW)).toEqual([]);
  });

  it("are of one service: another address starts without them, and deletes what has expired", async () => {
    const store = await storeOf();
    await store.save("a1", [{ name: "list ends", size: 1 }], NOW + 1);
    await using other = await proofsOf(store, { service: "b2" });
    expect(other.of("list ends").isProven()).toBe(false);
    expect(await store.all("a1", NOW)).toHaveLength(1);
    await store.all("b2", NOW + 1);
    expect(await store.all("a1", NOW)).toEqual([]);
  });
});

describe("Proofs whose database fails for a time", () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  it("are used meanwhile, and written as soon as it works", async () => {
    let fails = false;
    const saved: string[] = [];
    const store: ProofStore = {
      async all() {
        if (fails) throw new Error("no database");
        return saved.map((name) => ({ name, size: 1 }));
      },
      async save(_, proofs) {
        saved.push(...proofs.map(({ name }) => name));
      },
      async delete() {},
    };
    const lines: string[] = [];
    const log = createLogger({ level: "info", secrets: [], write: (line) => lines.push(line) });
    await using gateway = await proofsOf(store, { log });
    fails = true;
    gateway.of("list ends").confirm();
    await vi.advanceTimersByTimeAsync(10);
    expect([gateway.of("list ends").isProven(), saved]).toEqual([true, []]);
    fails = false;
    await vi.advanceTimersByTimeAsync(10);
    expect([gateway.of("list ends").isProven(), saved]).toEqual([true, ["list ends"]]);
    expect(lines.map((line) => JSON.parse(line).msg)).toEqual([
      "what was learned about the service cannot be stored; it is tried again",
    ]);
  });
});
