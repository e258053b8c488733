import { DatabaseSync } from "node:sqlite";
import { describe, expect, it } from "vitest";
import { openStore } from "../../src/store/store.ts";
import { tempFile, tempStore } from "./tempStore.ts";

const delivery = (body: Uint8Array, reason = "The body is not JSON.") => ({
  receivedAt: "2026-11-20T09:30:00.000Z",
  reason,
  body,
});

describe("a delivery that cannot be read is kept", () => {
  it("byte by byte, whatever it is", async () => {
    const file = tempFile();
    const bodies = [Buffer.from([0, 255, 0, 13, 10, 0xd8, 0x00]), Buffer.alloc(0), Buffer.alloc(256 * 1024, 7)];
    const store = await openStore(file);
    for (const body of bodies) await store.quarantine.keep(delivery(body));
    expect(await store.quarantine.count()).toBe(3);
    await store[Symbol.asyncDispose]();

    using database = new DatabaseSync(file);
    const rows = database.prepare("select body, reason, received_at from quarantine order by id").all();
    expect(rows.map(({ body }) => Buffer.from(body as Uint8Array))).toEqual(bodies);
    expect(rows[0]).toMatchObject({ reason: "The body is not JSON.", received_at: "2026-11-20T09:30:00.000Z" });
  });

  it("once, however often it comes", async () => {
    const { quarantine } = await tempStore();
    const again = () => quarantine.keep(delivery(Buffer.from("{"), "Another reason."));
    await Promise.all(Array.from({ length: 100 }, again));
    expect(await quarantine.count()).toBe(1);
    await quarantine.keep(delivery(Buffer.from("{ ")));
    expect(await quarantine.count()).toBe(2);
  });
});
