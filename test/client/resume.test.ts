import * as fc from "fast-check";
import { afterAll, beforeAll, expect, it } from "vitest";
import { createSwitchboardClient } from "../../client/src/index.ts";
import { cuttingProxy } from "../support/network/cuttingProxy.ts";
import { startGateway, type TestGateway } from "../support/gateway.ts";
import { endCalls, sessionIds, take } from "./clients.ts";

let gateway: TestGateway;
let written = 0;
beforeAll(async () => {
  gateway = await startGateway({ url: "http://127.0.0.1:9" });
});
afterAll(() => gateway[Symbol.asyncDispose]());

async function headCursor(): Promise<string> {
  const { data } = await gateway.ask<{ callEndedEvents: { headCursor: string } }>("{ callEndedEvents { headCursor } }");
  return data?.callEndedEvents.headCursor as string;
}

const plans = fc.record({
  webSockets: fc.boolean(),
  /** Written before the stream begins, and meanwhile. */
  before: fc.integer({ min: 0, max: 40 }),
  meanwhile: fc.integer({ min: 1, max: 20 }),
  /** Bytes of answers after which the first connections are cut. */
  cuts: fc.array(fc.integer({ min: 1, max: 4000 }), { maxLength: 8 }),
  /** Ends the iterator after so many items, and begins another one behind the last of them. */
  restartAfter: fc.option(fc.integer({ min: 1, max: 10 })),
});

it("delivers every event once and in order, wherever the connection is cut", async () => {
  await fc.assert(
    fc.asyncProperty(plans, async ({ webSockets, before, meanwhile, cuts, restartAfter }) => {
      const start = await headCursor();
      const ids = sessionIds("resumed", written, before + meanwhile);
      written += ids.length;
      await endCalls(gateway, ids.slice(0, before));
      const drawn = cuts.map((after) => ({ of: "response" as const, after }));
      await using proxy = await cuttingProxy(gateway.url, () => drawn.shift() ?? null);
      await using client = createSwitchboardClient({
        url: `${proxy.url}/graphql`,
        random: () => 0,
        ...(webSockets ? {} : { webSocketImpl: null }),
      });
      const writing = endCalls(gateway, ids.slice(before));
      const items = [];
      const first = Math.min(restartAfter ?? 0, ids.length);
      const interrupted = client.callEnded({ after: start });
      items.push(...(await take(interrupted, first)));
      await interrupted.return?.();
      const rest = client.callEnded({ after: items.at(-1)?.cursor ?? start });
      items.push(...(await take(rest, ids.length - first)));
      await writing;
      expect(items.map((item) => (item.type === "call" ? item.call.sessionId : item.type))).toEqual(ids);
    }),
    { numRuns: 25 },
  );
});
