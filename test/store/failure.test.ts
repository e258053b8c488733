import { Kysely } from "kysely";
import { describe, expect, it, onTestFinished } from "vitest";
import { createEventStore } from "../../src/store/eventStore.ts";
import { migrations } from "../../src/store/migrations.ts";
import { openSqlite } from "../../src/store/sqlite.ts";
import { openStore } from "../../src/store/store.ts";
import { storeError } from "../../src/store/storeError.ts";
import { CodedError } from "../../src/errors.ts";
import type { Tables } from "../../src/store/tables.ts";
import { eventRow, submission, tempFile } from "./tempStore.ts";

const unavailable = expect.objectContaining({ code: "STORE_UNAVAILABLE", retryable: true, retryAfter: 1 });

describe("a database that fails is STORE_UNAVAILABLE", () => {
  it("for every question, once it is closed", async () => {
    const store = await openStore(tempFile());
    await store[Symbol.asyncDispose]();
    expect(await store.isOpen()).toBe(false);
    const { events, quarantine, submissions } = store;
    const page = { filter: {}, after: null, order: "oldestFirst", limit: 1 } as const;
    const asked = [
      () => events.append([eventRow({ sessionId: "a" })]),
      () => events.read(page),
      () => events.bySession("a"),
      () => events.head(),
      () => quarantine.keep({ receivedAt: "2026", reason: "x", body: Buffer.from("x") }),
      () => quarantine.count(),
      () => submissions.claim(submission({ id: "1" })),
      () => submissions.settle("1", "ACCEPTED"),
      () => submissions.release("1"),
      () => submissions.byId("1"),
      () => submissions.settleAbandoned(),
    ];
    for (const ask of asked) await expect(ask()).rejects.toEqual(unavailable);
  });

  it("and may be closed twice", async () => {
    const store = await openStore(tempFile());
    await store[Symbol.asyncDispose]();
    await store[Symbol.asyncDispose]();
  });

  it("without the database's own words, which are kept as the cause", () => {
    const cause = new Error("UNIQUE constraint failed: canary");
    const error = storeError(cause);
    expect(error.message).not.toContain("canary");
    expect(error.cause).toBe(cause);
  });

  it("but an error that has a code already keeps it", () => {
    const error = new CodedError("CURSOR_INVALID", "x");
    expect(storeError(error)).toBe(error);
  });
});

describe("a full disk costs only what did not fit", () => {
  it("and heals by itself when there is room again", async () => {
    const { database, dialect } = openSqlite(tempFile());
    const db = new Kysely<Tables>({ dialect });
    onTestFinished(() => db.destroy());
    for (const statement of migrations.flat()) database.exec(statement);
    const events = createEventStore(db);
    const rows = (from: number) =>
      Array.from({ length: 50 }, (_, at) => eventRow({ sessionId: `s${from + at}`, data: "x".repeat(1000) }));
    await events.append(rows(0));

    const { page_count: pages } = database.prepare("pragma page_count").get() as { page_count: number };
    database.exec(`pragma max_page_count = ${pages + 1}`);
    await expect(events.append(rows(100))).rejects.toEqual(unavailable);
    expect(await events.head()).toBe(50);
    expect(await events.bySession("s100")).toBeNull();

    database.exec("pragma max_page_count = 100000");
    expect(await events.append(rows(100))).toEqual(Array.from({ length: 50 }, () => true));
    const read = await events.read({ filter: {}, after: 50, order: "oldestFirst", limit: 100 });
    expect(read).toHaveLength(50);
  });
});
