import { describe, expect, it, onTestFinished } from "vitest";
import type { EventLog } from "../../src/events/eventLog.ts";
import { checksumOf, type ChecksummedRow } from "../../src/store/events/checksum.ts";
import { postgres, type TestDatabase } from "../store/databases.ts";
import { tempStore } from "../store/tempStore.ts";
import { until } from "../support/until.ts";
import { appendAll, callEnded, follow, headOf, logOver, names, sessions, take } from "./callEnded.ts";

/** The log as one of many gateways has it. */
async function gateway({ url }: TestDatabase): Promise<EventLog> {
  const store = await tempStore(url);
  const log = await logOver(store.events);
  const listening = store.onNotify(() => void log.refresh());
  onTestFinished(() => listening[Symbol.asyncDispose]());
  return log;
}

const LISTENERS =
  "from pg_stat_activity where datname = current_database() and application_name = 'switchboard listener'";

/** Where everybody listens: query is what a connection was asked last. */
async function listeners({ ask }: TestDatabase, count: number): Promise<void> {
  await until(async () => (await ask(`select pid ${LISTENERS} and query like 'listen%'`)).length === count);
}

describe("Gateways on one database", () => {
  it("follow each other's appends", async () => {
    const database = await postgres.create();
    const logs = [await gateway(database), await gateway(database), await gateway(database)];
    const readers = await Promise.all(logs.map((log) => follow(log)));
    for (const [at, log] of logs.entries()) await appendAll(log, [`s${at}`]);
    for (const reader of readers) expect(sessions(await take(reader, 3))).toEqual(names(0, 3));
  });

  it("read all events in one order while all of them write", async () => {
    const database = await postgres.create();
    const logs = [await gateway(database), await gateway(database)];
    const readers = await Promise.all([...logs, ...logs].map((log) => follow(log)));
    const received = Promise.all(readers.map((reader) => take(reader, 600)));
    await Promise.all(
      logs.map(async (log, own) => {
        for (let at = 0; at < 300; at += 5)
          await appendAll(
            log,
            names(at, at + 5).map((id) => `${own} ${id}`),
          );
      }),
    );
    const stored = await logs[0]?.page({ first: 1000, after: null, filter: {}, revisions: true, order: "oldestFirst" });
    expect(stored?.events).toHaveLength(600);
    for (const one of await received) expect(one).toEqual(stored?.events);
  });

  it("deliver a call once that both receive, and its revision to both", async () => {
    const database = await postgres.create();
    const logs = [await gateway(database), await gateway(database)];
    const readers = await Promise.all(logs.map((log) => follow(log, { revisions: true })));
    const same = callEnded({ sessionId: "a" });
    const answers = await Promise.all(
      logs.flatMap((log) => Array.from({ length: 20 }, () => log.append(same, "WEBHOOK"))),
    );
    expect(answers.filter((answer) => answer !== "known")).toEqual(["appended"]);
    expect(await logs[1]?.append({ ...same, recordUrl: "https://files.example/1" }, "WEBHOOK")).toBe("revised");
    for (const reader of readers) {
      expect((await take(reader, 2)).map(({ revision }) => revision)).toEqual([1, 2]);
    }
  });

  it("accept each other's cursors at once", async () => {
    const database = await postgres.create();
    const [one, other] = [await gateway(database), await gateway(database)];
    for (let at = 0; at < 20; at += 1) {
      await appendAll(one, [`s${at}`]);
      const reader = await follow(other, { after: await headOf(one) });
      await appendAll(one, [`then ${at}`]);
      expect(sessions(await take(reader, 1))).toEqual([`then ${at}`]);
      await reader.return?.();
    }
  });
});

describe("A lost notification costs no event", () => {
  it("if the listening connection ends: the poll finds the event, and the gateway listens again", async () => {
    const database = await postgres.create();
    const [one, other] = [await gateway(database), await gateway(database)];
    const reader = await follow(other);
    await listeners(database, 2);
    for (let at = 0; at < 3; at += 1) {
      await database.ask(`select pg_terminate_backend(pid) ${LISTENERS}`);
      await appendAll(one, [`s${at}`]);
      expect(sessions(await take(reader, 1))).toEqual([`s${at}`]);
    }
    await listeners(database, 2);
    await appendAll(one, ["last"]);
    expect(sessions(await take(reader, 1))).toEqual(["last"]);
  });

  it("if no notification ever arrives", async () => {
    const database = await postgres.create();
    const [one, other] = [await gateway(database), await gateway(database)];
    await listeners(database, 2);
    const reader = await follow(other);
    await appendAll(one, ["a"]);
    expect(sessions(await take(reader, 1))).toEqual(["a"]);
    // Past every gateway: the row is there, whole, and nobody was notified.
    const [row] = (await database.ask("select * from events")) as (Omit<ChecksummedRow, "seq"> & { seq: unknown })[];
    if (!row) throw new Error("nothing was appended");
    const copy = { ...row, seq: Number(row.seq) + 1, session_id: "b", data: row.data.replace('"a"', '"b"') };
    const values = { ...copy, checksum: checksumOf(copy) };
    const texts = Object.values(values).map((value) => (value === null ? "null" : `'${String(value)}'`));
    await database.ask(
      `insert into events (${Object.keys(values).join()}) overriding system value values (${texts.join()})`,
    );
    expect(sessions(await take(reader, 1))).toEqual(["b"]);
  });
});
