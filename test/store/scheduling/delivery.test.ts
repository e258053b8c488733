import { expect, it, onTestFinished } from "vitest";
import { readEventPage } from "../../../src/events/eventReader.ts";
import { createQueryOwner } from "../../../src/store/scheduling/queryOwner.ts";
import { openStore } from "../../../src/store/store.ts";
import { silentLog } from "../../support/silentLog.ts";
import { until } from "../../support/until.ts";
import { tempFile } from "../tempStore.ts";

/** A store whose results wait until `deliver` is called, oldest first. */
async function storeInTurns() {
  const waiting: { viewer: string; deliver: () => void }[] = [];
  const slices = {
    waitForSlice(viewer: string) {
      const { promise, resolve } = Promise.withResolvers<void>();
      waiting.push({ viewer, deliver: resolve });
      return promise;
    },
  };
  const store = await openStore({ url: `file:${tempFile()}`, log: silentLog, slices });
  onTestFinished(() => store[Symbol.asyncDispose]());
  return { store, waiting };
}

it("The result of a read is delivered in a slice of its viewer", async () => {
  const { store, waiting } = await storeInTurns();
  let isDelivered = false;
  const read = store.queuedRead(createQueryOwner("web"), ["one"], async () => 1).finally(() => (isDelivered = true));
  const { viewer, deliver } = await until(() => waiting[0]);
  expect([viewer, isDelivered]).toEqual(["web", false]);
  deliver();
  expect(await read).toBe(1);
});

it("A read whose client leaves fails with the client's reason, not as a failure of the database", async () => {
  const { store, waiting } = await storeInTurns();
  const client = new AbortController();
  const owner = createQueryOwner("web", client.signal);
  const running = store.queuedRead(owner, ["running"], () => new Promise(() => undefined));
  const queued = store.queuedRead(owner, ["queued"], async () => 1);
  const delivered = store.stats.totals(owner, {});
  const { deliver } = await until(() => waiting[0]);
  client.abort();
  deliver();
  for (const read of [running, queued, delivered]) await expect(read).rejects.toMatchObject({ name: "AbortError" });
});

it("A page of the log needs nothing more once it is delivered, so that it is processed in its slice", async () => {
  const { store, waiting } = await storeInTurns();
  const deps = { store: store.events, eventOrNull: () => null, damagedBetween: () => [] };
  const request = { first: 10, after: null, filter: {}, order: "oldestFirst", revisions: true } as const;
  let isRead = false;
  const page = readEventPage(deps, { ...request, queryOwner: createQueryOwner("web") }).finally(() => (isRead = true));
  const { deliver } = await until(() => waiting[0]);
  deliver();
  // A tick comes after all microtasks, and before any answer of the database.
  await new Promise<void>((resolve) => queueMicrotask(() => process.nextTick(resolve)));
  expect(isRead).toBe(true);
  await page;
});
