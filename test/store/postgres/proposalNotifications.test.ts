import { once } from "node:events";
import { expect, it, onTestFinished } from "vitest";
import { openClient } from "../../support/postgres/connections.ts";
import { summary } from "../contract/proposals.ts";
import { postgres } from "../databases.ts";
import { submission, tempStore } from "../tempStore.ts";

it.each(["expire", "decline"] as const)(
  "A PostgreSQL database notifies all gateways when a proposal ends: %s",
  async (end) => {
    const { url } = await postgres.create();
    const { proposals } = await tempStore(url);
    const expiresAt = "2026-11-21T09:30:00.000Z";
    await proposals.add(submission({ id: "a", status: "PROPOSED" }), {
      expiresAt,
      summary,
      policy: "{}",
      input: "{}",
      maxWaiting: { count: 9, bytes: 9_000 },
    });
    const listener = await openClient({ connectionString: url });
    onTestFinished(() => listener.end());
    await listener.query("listen switchboard_events");
    const notified = once(listener, "notification");
    const by = { actor: "boss", at: expiresAt };
    expect(await (end === "expire" ? proposals.expire("a", expiresAt) : proposals.decline("a", by, null))).toBe(true);
    await notified;
  },
);
