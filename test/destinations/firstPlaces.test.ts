// New destinations and rules of a gateway have their places before it listens: what arrives before their work begins is theirs.
import { writeFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import type { Store } from "../../src/store/store.ts";
import { answerRate } from "../alerts/judging.ts";
import { miss, rulesFile } from "../alerts/ofGateway.ts";
import { databases } from "../store/databases.ts";
import { open, tempFile } from "../store/tempStore.ts";
import { NO_SERVICE, startGateway } from "../support/gateway.ts";
import { until } from "../support/until.ts";
import { SECRET, startReceiver, type Receiver } from "./receiver.ts";

/** A store in which work that needs a lease begins when a test lets it. */
async function heldStore(url: string): Promise<{ store: Store; begin: (names: RegExp) => void }> {
  const store = await open(url);
  const begun: RegExp[] = [];
  const withLease: Store["leases"]["withLease"] = async (name, stopped, work) => {
    await until(() => stopped.aborted || begun.some((names) => names.test(name)));
    return store.leases.withLease(name, stopped, work);
  };
  return { store: { ...store, leases: { ...store.leases, withLease } }, begin: (names) => void begun.push(names) };
}

/** A cursor of another log: a destination with it does not begin, and holds up no other. */
const ANOTHER_LOG = `000000009z${"A".repeat(22)}`;

const settings = (receiver: Receiver) => {
  const file = tempFile("destinations.json");
  const destination = { name: "crm", kind: "event", url: receiver.url, secrets: [SECRET], alerts: true };
  writeFileSync(file, JSON.stringify([destination, { ...destination, name: "odd", alerts: false, from: ANOTHER_LOG }]));
  const { env } = rulesFile(answerRate({ window: { calls: 2 }, minCalls: 2 }));
  return { ...env, DESTINATIONS_FILE: file, DESTINATION_HOSTS: receiver.host };
};

interface Body {
  type: string;
  data: { taskId: string };
}

const bodies = ({ messages }: Receiver) => messages.map(({ body }) => JSON.parse(body) as Body);

describe.each(databases)("A new destination on %s", (_, { create }) => {
  it("gets the calls that end while its delivery and the rules have not begun, the alerts about them, and none of before the start", async () => {
    const receiver = await startReceiver();
    const { url } = await create();
    {
      await using before = await startGateway(NO_SERVICE, { DATABASE_URL: url, UPSTREAM_TIME_ZONE: "UTC" });
      await miss(before, 2, 8);
    }
    const { store, begin } = await heldStore(url);
    await using gateway = await startGateway(NO_SERVICE, settings(receiver), { store });
    await miss(gateway, 2, 7);
    begin(/^reader /);
    await until(async () => (await store.alerts.noticeHead()) > 0);
    begin(/./);
    const got = () => bodies(receiver).map(({ type, data: { taskId } }) => `${type} of task ${taskId}`);
    await until(() => got().includes("alert of task 7"));
    // Alerts are told in order.
    await miss(gateway, 2, 9);
    await until(() => got().includes("alert of task 9") && got().filter((each) => each.endsWith("9")).length === 3);
    const each = (taskId: number) => ["alert", "call.ended", "call.ended"].map((type) => `${type} of task ${taskId}`);
    expect(got().toSorted()).toEqual([...each(7), ...each(9)].toSorted());
  });
});
