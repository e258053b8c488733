// What a gateway has proven about the service is used by the next gateway of its database.
import { describe, expect, it } from "vitest";
import { startService, SERVICE_TOKEN } from "../oddServices/service.ts";
import { createWorld, DAY, usual } from "../oddServices/world.ts";
import { databases } from "../store/databases.ts";
import { startGateway } from "../support/gateway.ts";

const world = createWorld(3, { ...usual, calls: 131 });
const filter = {
  since: new Date(usual.now - 9 * DAY).toISOString(),
  until: new Date(usual.now + DAY).toISOString(),
  taskIds: ["1", "12"],
  direction: "OUTBOUND",
};
const LISTS = `query($filter: CallLogFilter) {
  callLogs(first: 10, filter: $filter) { totalCount }
  task(taskId: "7") { callLogs(first: 5) { totalCount } } }`;

describe.each(databases)("a gateway on %s", (_, { create }) => {
  it("asks the service for no proof that an earlier gateway has made, but for those about another address", async () => {
    const { url } = await create();
    await using service = await startService(world, {});
    await using other = await startService(world, {});
    const requestsOf = async (asked: typeof service) => {
      const env = { DATABASE_URL: url, UPSTREAM_TOKEN: SERVICE_TOKEN, UPSTREAM_TIME_ZONE: usual.zone };
      await using gateway = await startGateway(asked, env, { clock: () => usual.now });
      const before = asked.requests();
      expect((await gateway.ask(LISTS, { filter })).errors).toBeUndefined();
      return asked.requests() - before;
    };
    const first = await requestsOf(service);
    expect(first).toBeGreaterThan(8);
    expect(await requestsOf(service)).toBe(3);
    expect(await requestsOf(other)).toBe(first);
    expect(await requestsOf(service)).toBe(3);
  });
});
