import { expect, it } from "vitest";
import { postgres } from "../databases.ts";
import { tempStore } from "../tempStore.ts";

it("A caller of several gateways is granted what its window has left, and then nothing", async () => {
  const { url } = await postgres.create();
  const gateways = await Promise.all([tempStore(url), tempStore(url)]);
  const [first, second] = gateways.map(({ rateLimits }) => rateLimits.createTakePoints?.(10));
  const grantedOf = async (taken: Promise<{ granted: number }> | undefined) => (await taken)?.granted;
  expect(await grantedOf(first?.("web", 6))).toBe(6);
  expect(await grantedOf(second?.("web", 6))).toBe(4);
  expect(await grantedOf(first?.("web", 1))).toBe(0);
  expect(await grantedOf(second?.("other", 10))).toBe(10);
  expect(await grantedOf(first?.("other", 1))).toBe(0);
});

it("A window that the database's clock began far in the future does not lock its caller out", async () => {
  const database = await postgres.create();
  const { rateLimits } = await tempStore(database.url);
  const take = rateLimits.createTakePoints?.(10);
  await take?.("web", 10);
  await database.ask("update spent_points set expire = expire + 100 * 86400000::bigint");
  const { granted, endsInMs } = (await take?.("web", 4)) ?? {};
  expect(granted).toBe(4);
  expect(endsInMs).toBeLessThanOrEqual(60_000);
});
