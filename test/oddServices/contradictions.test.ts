import { describe, expect, it } from "vitest";
import * as fc from "fast-check";
import { startGateway, type GatewayClient } from "./gatewayClient.ts";
import { eventBody } from "./serviceFormat.ts";
import { usualSemantics } from "./selectCalls.ts";
import { startService, type Json } from "./service.ts";
import { runs, seed } from "./examine.ts";
import { createRandom, createWorld } from "./world.ts";

const EVENT = `sessionId taskId direction caller callee startAt answerAt endAt duration billsec answered ringTime hangupSide
  hangupReason recordUrl taskItemId extra assistants { assistantId versionId } unread { field text }`;
const STATS = `since calls answered numbersCalled numbersReached totalDuration totalBillsec
  byHangupReason(first: 100) { reason calls answered } byHangupSide { side calls } byTask(first: 100) { taskId calls answered }
  byAssistant(first: 100) { assistantId calls answered } timeline(bucket: MINUTE) { start calls answered }`;

const END = "2026-11-20 09:3";
/** Values in which two deliveries of one call may differ; some are unreadable or empty. */
const contradiction = fc.record(
  {
    end_at: fc.constantFrom(`${END}1:00`, `${END}2:00`, `${END}2:00`, "", "soon", null),
    answer_at: fc.constantFrom(`${END}0:05`, "", null, "0001-01-01T00:00:00Z"),
    duration: fc.constantFrom(0, 60, 61, null, "1m"),
    billsec: fc.constantFrom(0, 55, 56, null),
    callee: fc.constantFrom("13800010001", "13800010002", ""),
    direction: fc.constantFrom("outbound", "inbound", "sideways"),
    hangup_side: fc.constantFrom("caller", "callee", ""),
    hangup_reason: fc.constantFrom("NORMAL_CLEARING", "USER_BUSY", "", null, 16),
    record_url: fc.constantFrom("https://files.example/a", "https://files.example/b", ""),
    task_id: fc.constantFrom(1, 2, 0),
    assistant_infos: fc.constantFrom(
      [{ assistant_id: 3, assistant_vid: 31 }],
      [{ assistant_id: 4, assistant_vid: 41 }],
      [],
      null,
    ),
    extra: fc.constantFrom({ a: 1 }, { a: 2, b: 1 }, {}, null, "text"),
  },
  { requiredKeys: [] },
);
/** Deliveries that do not show an end are kept aside until there is one. */
const endOf = (delivery: { end_at?: string | null }) =>
  delivery.end_at?.startsWith(END) === false || delivery.end_at === null
    ? { ...delivery, hangup_side: "caller", duration: 60 }
    : delivery;

describe("contradicting deliveries of one call", () => {
  it("give the same event and the same statistics in any order", async () => {
    const world = createWorld(seed);
    const honest = eventBody({ ...(world.calls[0] as (typeof world.calls)[0]), endAt: world.now }, world.zone);
    const calls = fc.sample(fc.array(contradiction.map(endOf), { minLength: 2, maxLength: 3 }), {
      numRuns: 20 + 4 * runs,
      seed,
    });
    const deliveries = calls.flatMap((each, at) =>
      each.map((data) =>
        JSON.stringify({ ...honest, event_data: { ...honest.event_data, ...data, session_id: `session-${at}` } }),
      ),
    );
    await using service = await startService(world, {}, usualSemantics, seed);
    const random = createRandom(seed);
    const shuffled = (list: readonly string[]) => {
      const keyed = list.map((body) => ({ body, key: random.int(0, 1e9) }));
      return keyed.sort((a, b) => a.key - b.key).map(({ body }) => body);
    };
    const orders = [
      deliveries,
      deliveries.toReversed(),
      shuffled(deliveries),
      shuffled([...deliveries, ...deliveries]),
    ];
    const answers: Json[] = [];
    for (const order of orders) {
      await using gateway = await startGateway(service, world);
      for (const body of order) await gateway.deliver(body);
      answers.push(await askAll(gateway, calls.length));
    }
    const [first, ...others] = answers as [Json, ...Json[]];
    for (const [at, other] of others.entries())
      for (const name of Object.keys(first))
        expect({ order: at + 1, [name]: other[name] }).toEqual({ order: at + 1, [name]: first[name] });
  });
});

async function askAll(gateway: GatewayClient, calls: number): Promise<Json> {
  const events = Array.from(
    { length: calls },
    (_, at) => `call${at}: callEnded(sessionId: "session-${at}") { ...Event }`,
  );
  const answers: Json = {};
  for (let at = 0; at < events.length; at += 20) {
    const { data, errors } = await gateway.ask(
      `{ ${events.slice(at, at + 20).join(" ")} } fragment Event on CallEnded { ${EVENT} }`,
      {},
    );
    expect(errors).toEqual([]);
    Object.assign(answers, data);
  }
  const { data, errors } = await gateway.ask(
    `{ all: callStats { ${STATS} } one: callStats(filter: { taskIds: ["1"], answered: true }) { ${STATS} }
      some: callStats(filter: { direction: OUTBOUND, until: "2026-11-20T01:32:00Z" }) { ${STATS} } }`,
    {},
  );
  expect(errors).toEqual([]);
  return { ...answers, ...data };
}
