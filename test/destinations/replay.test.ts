// A destination goes on from an instant: it gets every event that was received from then on, and not much more.
import { array, assert, asyncProperty, integer } from "fast-check";
import { describe, expect, it } from "vitest";
import { cursorAt } from "../../src/destinations/eventFinder.ts";
import { callEndedEvent } from "../support/events.ts";
import { startGateway, NO_SERVICE } from "../support/gateway.ts";
import { tempFile } from "../store/tempStore.ts";
import { until } from "../support/until.ts";
import { writeFileSync } from "node:fs";
import { SECRET, startReceiver } from "./receiver.ts";

const START = Date.parse("2026-11-20T09:00:00.000Z");
const MINUTE_MS = 60_000;

describe("The place of an instant in the log", () => {
  it("is before every entry that was received from it on, and at most two minutes early where clocks differ by less than one", async () => {
    const steps = array(integer({ min: 0, max: 300 }), { maxLength: 40 });
    const scatters = array(integer({ min: 0, max: 59 }), { minLength: 40, maxLength: 40 });
    await assert(
      asyncProperty(steps, scatters, integer({ min: -100, max: 12_000 }), async (given, scatter, second) => {
        let seconds = 0;
        const received = given.map((step, at) => START + ((seconds += step) - (scatter[at] ?? 0)) * 1000);
        const oldestAfter = async (position: number) => {
          const found = received[position];
          return found === undefined ? null : new Date(found).toISOString();
        };
        const since = START + second * 1000;
        const place = Number(
          await cursorAt(new Date(since).toISOString(), received.length, { oldestAfter, at: String }),
        );
        expect(received.slice(0, place).filter((at) => at >= since)).toEqual([]);
        const first = received[place];
        if (first !== undefined) expect(first).toBeGreaterThanOrEqual(since - 2 * MINUTE_MS);
      }),
    );
  });
});

describe("A replay of a destination", () => {
  it("sends again what was received since an instant, with the same ids, and refuses a cursor beside it", async () => {
    const receiver = await startReceiver();
    const file = tempFile("destinations.json");
    const definition = {
      name: "crm",
      kind: "event",
      url: receiver.url,
      secrets: [SECRET],
      from: "oldest",
      order: "strict",
    };
    writeFileSync(file, JSON.stringify([definition]));
    let ahead = 0;
    const env = { DESTINATIONS_FILE: file, DESTINATION_HOSTS: receiver.host };
    await using gateway = await startGateway(NO_SERVICE, env, { clock: () => Date.now() + ahead });
    await gateway.deliver(callEndedEvent());
    await gateway.deliver(callEndedEvent());
    ahead = 60 * MINUTE_MS;
    await gateway.deliver(callEndedEvent());
    await until(() => receiver.messages.length === 3);
    const resume = (after: string | null, since: string) =>
      gateway.ask(
        'mutation($after: String, $since: DateTime) { resumeDestination(name: "crm", after: $after, since: $since) { state } }',
        { after, since },
      );
    const since = new Date(Date.now() + ahead / 2).toISOString();
    expect((await resume("x", since)).errors?.[0]?.message).toBe("after and since exclude each other.");
    expect((await resume(null, since)).data).toEqual({ resumeDestination: { state: "ACTIVE" } });
    await until(() => receiver.messages.length === 4);
    expect(receiver.messages[3]?.id).toBe(receiver.messages[2]?.id);
    expect((await resume(null, "2020-01-01T00:00:00Z")).data).toEqual({ resumeDestination: { state: "ACTIVE" } });
    await until(() => receiver.messages.length === 7);
    expect(receiver.messages.slice(4).map(({ id }) => id)).toEqual(receiver.messages.slice(0, 3).map(({ id }) => id));
    expect((await resume(null, "2100-01-01T00:00:00Z")).data).toEqual({ resumeDestination: { state: "ACTIVE" } });
    await gateway.deliver(callEndedEvent());
    await until(() => receiver.messages.length === 8);
    expect(receiver.messages[7]?.id).not.toBe(receiver.messages[2]?.id);
  });
});
