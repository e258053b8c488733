// Short runs of `npm run bench:projections`, for what must be exact. Their times mean nothing.
import { expect, it } from "vitest";
import { makeRecipients } from "../../bench/support/recipientRun.ts";
import { withoutProjections } from "../../bench/support/webhookCost.ts";
import { createWebhooks } from "../../bench/support/webhooks.ts";
import { textAt } from "../house/sources.ts";

it("The recipients that the benchmark makes, and makes anew beside appends, have every call", async () => {
  const lines: string[] = [];
  const { attempts, total } = await makeRecipients({ events: 1200, numbers: 300 }, (line) => lines.push(line));
  expect(lines).toHaveLength(3);
  expect(attempts).toBe(total);
  expect(total).toBeGreaterThan(1200);
});

it("The edit that takes projections out of the gateway changes one place", () => {
  const { file, from, to } = withoutProjections;
  expect(textAt(file).split(from)).toHaveLength(2);
  expect(to).not.toBe(from);
});

it("The webhooks of several people have one number and one ID in the task each", () => {
  const webhooks = createWebhooks(3);
  const bodies = Array.from({ length: 4 }, () => {
    const text = webhooks.next().toString();
    return JSON.parse(text.slice(text.indexOf("\r\n\r\n"))) as { event_data: { callee: string; task_item_id: string } };
  });
  const people = bodies.map(({ event_data: { callee, task_item_id } }) => `${callee} ${task_item_id}`);
  expect(new Set(people).size).toBe(3);
  expect(people[3]).toBe(people[0]);
});
