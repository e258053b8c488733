// The least that can be called kept: bytes in a SQLite file, synced to the disk before their writer is told, with one
// transaction for all that waits.
import { DatabaseSync } from "node:sqlite";

export function openKeep(file: string): (body: Uint8Array) => Promise<void> {
  const database = new DatabaseSync(file);
  database.exec("pragma locking_mode = exclusive; pragma journal_mode = wal; pragma synchronous = full");
  database.exec("create table kept (seq integer primary key, body blob not null) strict");
  const insert = database.prepare("insert into kept (body) values (?)");
  let waiting: { body: Uint8Array; kept: () => void }[] = [];

  function commit(): void {
    const group = waiting;
    waiting = [];
    database.exec("begin immediate");
    for (const { body } of group) insert.run(body);
    database.exec("commit");
    for (const { kept } of group) kept();
  }
  return (body) =>
    new Promise((kept) => {
      waiting.push({ body, kept });
      if (waiting.length === 1) setImmediate(commit);
    });
}
