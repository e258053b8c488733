// `npm run test:routers`: the requests to the service for the calls of 50 customers, through the router.
import assert from "node:assert/strict";
import { test } from "node:test";
import { as, startWorld } from "./support/world.ts";

const QUERY = `{ customers(first: 50) { nodes { name phone person { calls(first: 3) { nodes { sessionId startAt } } } } } }`;
const CUSTOMERS = Array.from({ length: 50 }, (_, at) => ({
  id: String(at),
  name: `Customer ${at}`,
  phone: `+86138999900${String(at).padStart(2, "0")}`,
}));
type Customers = { customers: { nodes: { phone: string; person: { calls: { nodes: object[] } } }[] } };

/** How the service writes the numbers that the CRM writes with their country code, and the requests for each customer. */
const writings = [
  { name: "without", written: (phone: string) => phone.replace("+86", ""), requestsEach: 1 },
  { name: "with", written: (phone: string) => phone, requestsEach: 2 },
];

for (const { name, written, requestsEach } of writings)
  test(`50 customers need ${50 * requestsEach} requests to a service that writes numbers ${name} country code`, async (t) => {
    await using world = await startWorld(CUSTOMERS);
    const { router, sandbox } = world;
    for (const { phone } of CUSTOMERS) await sandbox.endCall({ caller: written(phone) });
    const count = async () => {
      await sandbox.forget();
      const { data, errors } = await router.ask<Customers>(QUERY, {}, as("all"));
      assert.equal(errors, undefined);
      assert.deepEqual(
        data?.customers.nodes.map(({ person }) => person.calls.nodes.length),
        CUSTOMERS.map(() => 1),
      );
      return (await sandbox.requests()).length;
    };
    const first = await count();
    const later = await count();
    t.diagnostic(
      `The first query needed ${first} requests, the next ${later}. The least possible is one for each number: 50.`,
    );
    assert.equal(later, 50 * requestsEach);
    // The first query also checks once that the service obeys its filters.
    assert.ok(first - later <= 10, `${first} requests`);
  });
