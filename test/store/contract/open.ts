import { describe, expect, it } from "vitest";
import { openStore } from "../../../src/store/store.ts";
import { silentLog } from "../../support/silentLog.ts";
import type { DatabaseUnderTest } from "../databases.ts";
import { ANY_QUOTA, appendRows, eventRow, firstOnly, open, submission, tempStore, WHOLE } from "../tempStore.ts";

/** Opens a database that must be refused; returns its error, which is one line. */
export async function openRefusal(url: string): Promise<string> {
  const error = await open(url).then(
    () => undefined,
    (error: unknown) => error,
  );
  expect(error).toBeInstanceOf(Error);
  const { message } = error as Error;
  expect(message).not.toContain("\n");
  return message;
}

export function openContract({ name, create, createEmpty }: DatabaseUnderTest): void {
  const tables =
    name === "SQLite"
      ? "select name, sql from sqlite_schema order by name"
      : "select table_name, column_name, data_type from information_schema.columns where table_schema = 'public' order by 1, 2";

  describe("The migration of the schema", () => {
    it("runs once, so that another start changes nothing", async () => {
      const { url, ask } = await createEmpty();
      const schema = async () => [
        await ask(tables),
        await ask("select * from schema_version"),
        await ask("select * from settings"),
      ];
      await (await open(url))[Symbol.asyncDispose]();
      const first = await schema();
      await (await open(url))[Symbol.asyncDispose]();
      expect(await schema()).toEqual(first);
      expect(first[0]?.length).toBeGreaterThan(8);
      expect(first[1]).toHaveLength(1);
    });

    it("changes nothing if one of its steps fails", async () => {
      const { url, ask } = await createEmpty();
      await ask("create table submissions (id text)");
      const before = await ask(tables);
      await openRefusal(url);
      expect(await ask(tables)).toEqual(before);
    });
  });

  describe("Opening a database that must exist", () => {
    it("is refused without its tables, and changes nothing", async () => {
      const { url, ask } = await createEmpty();
      const before = await ask(tables);
      const opening = openStore({ url, log: silentLog, fsync: "elsewhere", mustExist: true });
      await expect(opening).rejects.toThrow("DATABASE_MUST_EXIST is true");
      expect(await ask(tables)).toEqual(before);
    });

    it("is accepted with its tables, and only the first opening finds it new", async () => {
      const { url } = await createEmpty();
      const isNew = async (mustExist: boolean) => {
        await using store = await openStore({ url, log: silentLog, fsync: "elsewhere", mustExist });
        return store.isNew;
      };
      expect([await isNew(false), await isNew(true)]).toEqual([true, false]);
    });
  });

  describe("Opening a database with a newer schema version", () => {
    it("is refused in one line, changes nothing and leaves nothing open", async () => {
      const { url, ask } = await create();
      await (await open(url))[Symbol.asyncDispose]();
      const [known] = await ask("select version from schema_version");
      await ask("update schema_version set version = 1000");
      expect(await openRefusal(url)).toMatch(/has schema version 1000; this gateway knows up to \d+\.$/);
      expect((await ask("select version from schema_version"))[0]).toEqual({ version: 1000 });
      await ask(`update schema_version set version = ${Number(known?.["version"])}`);
      expect(await (await tempStore(url)).isWritable()).toBe(true);
    });
  });

  describe("A closed store", () => {
    it("answers every call with STORE_UNAVAILABLE, and may be closed twice", async () => {
      const store = await open((await create()).url);
      await appendRows(store.events, [eventRow({ sessionId: "a" })]);
      expect(await store.isWritable()).toBe(true);
      await store[Symbol.asyncDispose]();
      await store[Symbol.asyncDispose]();
      expect(await store.isWritable()).toBe(false);
      const { events, quarantine, submissions } = store;
      const asked = [
        () => events.append([eventRow({ sessionId: "a" })], firstOnly),
        () => events.read(WHOLE),
        () => events.revisionsOf("a"),
        () => events.head(),
        () => events.purgedThrough(),
        () => events.purge("2026", 1),
        () => quarantine.add({ receivedAt: "2026", kind: "UNREADABLE", reason: "x", charset: null, sessionId: null, body: Buffer.from("x") }),
        () => quarantine.count("UNREADABLE"),
        () => submissions.claim(submission({ id: "1" }), ANY_QUOTA),
        () => submissions.settle("1", "ACCEPTED"),
        () => submissions.release("1"),
        () => submissions.byId("1"),
        () => submissions.resolve("1", "7"),
        () => submissions.page({ after: null, limit: 1 }),
        () => store.taskComparisons.add(["1"], { at: "2026", candidates: "any" }),
        () => store.taskComparisons.listWaiting(1),
      ];
      const unavailable = expect.objectContaining({
        code: "STORE_UNAVAILABLE",
        retryable: true,
        retryAfter: 1,
      }) as Error;
      for (const ask of asked) await expect(ask()).rejects.toEqual(unavailable);
    });
  });
}
