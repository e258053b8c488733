// A process whose disk fails during a commit. It handles the failure with the gateway's own code.
import { Kysely, sql } from "kysely";
import { runUntilSignal } from "../../src/commands/runServer.ts";
import { createLogger } from "../../src/logger.ts";
import { openSqlite } from "../../src/store/sqlite/sqlite.ts";

const log = createLogger({ level: "info", secrets: [] });
const [file = "", thread = "failingThread.ts"] = process.argv.slice(2);

await runUntilSignal(log, async () => {
  const db = new Kysely({ dialect: await openSqlite(file, new URL(thread, import.meta.url)) });
  const outcome = await db
    .transaction()
    .execute((trx) => sql`insert`.execute(trx))
    .then(
      () => "acknowledged",
      () => "refused",
    );
  log.info({ outcome }, "the transaction ended");
});
