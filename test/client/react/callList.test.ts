import { expect, it } from "vitest";
import { createCallList } from "../../../client/src/react/callList.ts";
import type { StreamItem } from "../../../client/src/types.ts";
import { until } from "../../support/until.ts";

it("A burst of events changes the list of calls once", async () => {
  const burst = Array.from({ length: 200 }, (_, at): StreamItem<number> => ({
    type: "call",
    cursor: String(at),
    call: at,
  }));
  async function* open() {
    yield* burst;
    await new Promise(() => undefined);
  }
  const list = createCallList<number>(open, { items: [], after: null, limit: 3 });
  let changes = 0;
  const stop = list.subscribe(() => (changes += 1));
  const newest = await until(() => list.get().items[0]);
  stop();
  expect([newest, list.get().items.length, changes]).toEqual([burst.at(-1), 3, 1]);
});
