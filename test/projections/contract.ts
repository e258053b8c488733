// What every projection must do, on both databases: count each event once, and follow erasure and retention.
import { describe, expect, it } from "vitest";
import type { CallEndedData } from "../../src/events/callEndedEvent.ts";
import type { Projection } from "../../src/projections/startProjections.ts";
import type { Store } from "../../src/store/store.ts";
import { callEnded, headOf } from "../events/callEnded.ts";
import { databases } from "../store/databases.ts";
import { tempStore } from "../store/tempStore.ts";
import { until } from "../support/until.ts";
import { settled, startGateway, type Gateway } from "./projecting.ts";

export interface ProjectionUnderTest {
  /** `own`: replaces members, such as the version. */
  rule(own?: Partial<Projection>): Projection;
  /** What readers get, in the same order for equal rows. */
  rows(store: Store): Promise<unknown[]>;
  /** How much the rows count, in one read. */
  size(store: Store): Promise<number>;
}

export const callOf = (at: number, own: Partial<CallEndedData> = {}) =>
  callEnded({ sessionId: `s${at}`, callee: `1380001${1000 + (at % 7)}`, taskItemId: String(70 + (at % 7)), ...own });

export async function appendCalls(
  { log }: Pick<Gateway, "log">,
  from: number,
  to: number,
  own: Partial<CallEndedData> = {},
): Promise<void> {
  for (let at = from; at < to; at += 1) await log.append(callOf(at, own), "WEBHOOK");
}

export function projectionContract({ rule, rows }: ProjectionUnderTest): void {
  const { name } = rule();

  describe.each(databases)(`The projection ${name} on %s`, (kind, { create }) => {
    const opened = async (own: Partial<Projection> = {}) =>
      startGateway(await tempStore((await create()).url), rule(own));

    it("has the same rows after a restart, and after it has read everything once more", async () => {
      const first = await opened();
      await appendCalls(first, 0, 20);
      await settled(first, name);
      const before = await rows(first.store);
      expect(before.length).toBeGreaterThan(0);
      await first.stop();
      const second = await startGateway(first.store, rule());
      await settled(second, name);
      expect(await rows(first.store)).toEqual(before);
      await second.projections.rebuild(name);
      await settled(second, name);
      expect(await rows(first.store)).toEqual(before);
    });

    it("counts each event once where the answer to each commit is lost, and where a gateway fails before it", async () => {
      const store = await tempStore((await create()).url);
      let tries = 0;
      const gateway = await startGateway(store, rule(), (own) => ({
        ...own,
        async add(...given) {
          tries += 1;
          if (tries % 3 === 0) throw new Error("before the commit");
          const result = await own.add(...given);
          if (tries % 3 === 1) throw new Error("after the commit");
          return result;
        },
      }));
      // Each is a batch at least.
      for (const from of [0, 5, 10]) {
        await appendCalls(gateway, from, from + 5);
        await settled(gateway, name);
      }
      await appendCalls(gateway, 0, 15, { recordUrl: "https://files.example/1" });
      await settled(gateway, name);
      const before = await rows(store);
      await gateway.stop();
      expect(tries).toBeGreaterThan(4);
      const alone = await startGateway(await tempStore((await create()).url), rule());
      await appendCalls(alone, 0, 15);
      await settled(alone, name);
      expect(before).toEqual(await rows(alone.store));
    });

    it("has the rows of two gateways that add to it at the same time", async () => {
      const { url } = await create();
      const store = await tempStore(url);
      // On SQLite, where there is one process, both hold the lease: as where a gateway has not noticed that it lost it.
      const gateways = [
        await startGateway(store, rule()),
        await startGateway(kind === "SQLite" ? store : await tempStore(url), rule()),
      ];
      await Promise.all(gateways.map((gateway, at) => appendCalls(gateway, at * 15, at * 15 + 20)));
      await gateways[0]?.stop();
      const left = gateways[1] as Gateway;
      await left.log.refresh();
      await settled(left, name);
      const alone = await opened();
      await appendCalls(alone, 0, 35);
      await settled(alone, name);
      expect(await rows(store)).toEqual(await rows(alone.store));
    });

    it("loses the rows of an erased call in the erasure, also where the erased event is read later", async () => {
      const gate = Promise.withResolvers<void>();
      const store = await tempStore((await create()).url);
      const gateway = await startGateway(store, rule(), (own) => ({
        ...own,
        async add(build, entries, of) {
          if (entries.some(({ sessionId }) => sessionId === "s1")) await gate.promise;
          return own.add(build, entries, of);
        },
      }));
      await appendCalls(gateway, 0, 1);
      await gateway.projections.waitFor(name, await headOf(gateway.log), 100_000);
      const erase = (sessionId: string) =>
        store.eraser.erase(
          {
            number: "",
            event: (data) => data.includes(`"${sessionId}"`),
            delivery: () => false,
            text: () => false,
            inputLine: () => false,
          },
          async () => undefined,
          { actor: "ops", at: "2026-11-20T09:40:00.000Z" },
        );
      await appendCalls(gateway, 1, 2);
      await erase("s1");
      gate.resolve();
      await settled(gateway, name);
      const before = await rows(store);
      expect(JSON.stringify(before)).toContain("s0");
      expect(JSON.stringify(before)).not.toContain("s1");
      await erase("s0");
      expect(await rows(store)).toEqual([]);
    });

    it("keeps its rows where an erasure fails, and never has them where the log has their calls no more", async () => {
      const gateway = await opened();
      const { store } = gateway;
      await appendCalls(gateway, 0, 2);
      await settled(gateway, name);
      await gateway.projections.rebuild(name);
      const before = await rows(store);
      const match = {
        number: "",
        event: (data: string) => data.includes('"s0"'),
        delivery: () => false,
        text: () => false,
        inputLine: () => false,
      };
      const at = "2026-11-20T09:40:00.000Z";
      // The entry in the audit log, with which the erasure ends, is refused.
      const failing = store.eraser.erase(match, async () => undefined, { actor: null as never, at });
      await expect(failing).rejects.toThrow();
      expect(await rows(store)).toEqual(before);
      const isErased = new AbortController();
      const watching = (async () => {
        const left: boolean[] = [];
        do {
          const inLog = (await store.events.revisionsOf("s0")).length > 0;
          left.push(!inLog && JSON.stringify(await rows(store)).includes('"s0"'));
        } while (!isErased.signal.aborted);
        return left;
      })();
      await store.eraser.erase(match, async () => undefined, { actor: "ops", at });
      isErased.abort();
      expect(await watching).not.toContain(true);
      await settled(gateway, name);
      expect(JSON.stringify(await rows(store))).not.toContain('"s0"');
      expect(JSON.stringify(await rows(store))).toContain('"s1"');
    });

    it("loses the rows of calls with the last of their entries, in the live build and in one that is being made", async () => {
      const gateway = await opened();
      const { store } = gateway;
      await appendCalls(gateway, 0, 3);
      await appendCalls(gateway, 0, 1, { recordUrl: "https://files.example/1" });
      await settled(gateway, name);
      await store.events.purge("2027", 3);
      expect(JSON.stringify(await rows(store))).toMatch(/s0/);
      expect(JSON.stringify(await rows(store))).not.toMatch(/s1|s2/);
      await store.events.purge("2027", 1);
      expect(await rows(store)).toEqual([]);
      await gateway.projections.rebuild(name);
      await settled(gateway, name);
      expect(await rows(store)).toEqual([]);
    });

    it("lets only the first of many events wait in vain, and tells it of those that it shows again", async () => {
      const gate = Promise.withResolvers<void>();
      const gateway = await startGateway(await tempStore((await create()).url), rule(), (own) => ({
        ...own,
        add: async (...given) => gate.promise.then(() => own.add(...given)),
      }));
      const { projections, log } = gateway;
      await appendCalls(gateway, 0, 1);
      const head = await headOf(log);
      // Each would wait for a second.
      for (let event = 0; event < 300; event += 1) expect(await projections.shows(name, head)).toBe(false);
      gate.resolve();
      await until(() => projections.shows(name, head));
      await appendCalls(gateway, 1, 2);
      await until(async () => projections.shows(name, await headOf(log)));
    });

    it("tells when it has read up to a cursor, and that it has not in time", async () => {
      const gate = Promise.withResolvers<void>();
      const gateway = await startGateway(await tempStore((await create()).url), rule(), (own) => ({
        ...own,
        add: async (...given) => gate.promise.then(() => own.add(...given)),
      }));
      const { projections, log } = gateway;
      await appendCalls(gateway, 0, 1);
      const head = await headOf(log);
      expect(await projections.waitFor(name, head, 0)).toBe(false);
      const waiting = projections.waitFor(name, head, 100_000);
      gate.resolve();
      expect(await waiting).toBe(true);
      await expect(projections.waitFor(name, "not a cursor", 0)).rejects.toMatchObject({ code: "CURSOR_INVALID" });
      expect(await projections.rebuild("unknown")).toBe(false);
    });
  });
}
