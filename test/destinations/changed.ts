// A definition that is changed while events wait: what waits goes out by the new one, or not at all. On both databases.
import { describe, expect, it } from "vitest";
import type { EventDestination } from "../../src/destinations/eventDeliverer.ts";
import { callEnded } from "../events/callEnded.ts";
import type { DatabaseUnderTest } from "../store/databases.ts";
import { until } from "../support/until.ts";
import { deliver, failed, gatewayOn, TAKEN } from "./world.ts";

const ofTask = (sessionId: string, taskId: string) => callEnded({ sessionId, taskId });
const onlyTask7: Partial<EventDestination> = { filter: { taskIds: ["7"] } };

export function changeContract({ create }: DatabaseUnderTest): void {
  async function opened() {
    const gateway = await gatewayOn((await create()).url);
    const letters = () => gateway.store.destinations.letters("crm", { after: 0, limit: 10 });
    const skipped = async () => (await gateway.store.destinations.read("crm"))?.skipped;
    return { ...gateway, letters, skipped };
  }

  describe("A destination of which the filter is changed", () => {
    // Events that nobody wanted any more were sent again for days: https://github.com/polarsource/polar/pull/6706
    it("gets no letter that its new filter leaves out, and the others", async () => {
      const { letters, skipped, ...gateway } = await opened();
      await gateway.events.append(ofTask("unwanted", "8"), "WEBHOOK");
      await gateway.events.append(ofTask("wanted", "7"), "WEBHOOK");
      const first = deliver(gateway, { answer: () => failed(), own: { order: "free" } });
      await until(async () => (await letters()).length === 2);
      await first.stop();
      const { attempts, taken } = deliver(gateway, { own: { order: "free", ...onlyTask7 } });
      await until(async () => (await letters()).length === 0);
      await until(async () => (await skipped()) === 1);
      expect([attempts, taken]).toEqual([["wanted"], ["wanted"]]);
    });

    it("gets no letter of an imported call when it does not want them any more", async () => {
      const { letters, skipped, ...gateway } = await opened();
      await gateway.events.append(callEnded({ sessionId: "imported" }), "IMPORTED");
      const first = deliver(gateway, { answer: () => failed(), own: { order: "free", imported: true } });
      await until(async () => (await letters()).length === 1);
      await first.stop();
      const { attempts } = deliver(gateway, { own: { order: "free" } });
      await until(async () => (await letters()).length === 0);
      await until(async () => (await skipped()) === 1);
      expect(attempts).toEqual([]);
    });

    it("gets a call once by now of which two revisions were letters", async () => {
      const { letters, skipped, ...gateway } = await opened();
      await gateway.events.append(callEnded({ sessionId: "twice", hangupReason: null }), "WEBHOOK");
      await gateway.events.append(callEnded({ sessionId: "twice", hangupReason: "busy" }), "WEBHOOK");
      const first = deliver(gateway, { answer: () => failed(), own: { order: "free", revisions: true } });
      await until(async () => (await letters()).length === 2);
      await first.stop();
      const { taken } = deliver(gateway, { own: { order: "free" } });
      await until(async () => (await letters()).length === 0);
      await until(async () => (await skipped()) === 1);
      expect(taken).toEqual(["twice"]);
    });

    it("passes over what waits in the log and is left out by now", async () => {
      const gateway = await opened();
      await gateway.events.append(ofTask("unwanted", "8"), "WEBHOOK");
      await gateway.events.append(ofTask("wanted", "7"), "WEBHOOK");
      const first = deliver(gateway, { answer: () => failed() });
      await until(() => first.attempts.length > 1);
      await first.stop();
      expect(new Set(first.attempts)).toEqual(new Set(["unwanted"]));
      const second = deliver(gateway, { answer: () => TAKEN, own: onlyTask7 });
      await until(() => second.taken.length > 0);
      expect(second.attempts).toEqual(["wanted"]);
    });
  });
}
