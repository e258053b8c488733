// Finds the host of DATABASE_URL that accepts writes, and finds its successor after a failover.
import { setTimeout as pause } from "node:timers/promises";
import { Client } from "pg";

export interface PrimaryHost {
  /** The address of the host that accepts writes. Throws an Error of one line if none does. With one host, it is that one, unasked. */
  find(): Promise<string>;
  /** The host that was found last; null after `forget`. */
  known(): string | null;
  /** Call it when a connection to the host failed: the next `find` asks all hosts again. */
  forget(): void;
}

const PROBE_TIMEOUT_MS = 2000;
/** So that waiting requests do not ask the hosts without a pause. */
const PAUSE_MS = 200;

export function createPrimaryHost(urls: readonly [string, ...string[]]): PrimaryHost {
  const only = urls.length === 1 ? urls[0] : null;
  let known = only;
  let search: Promise<string> | null = null;
  return {
    async find() {
      if (known !== null) return known;
      search ??= searchPrimary(urls).finally(() => {
        search = null;
      });
      return (known = await search);
    },
    known: () => known,
    forget() {
      known = only;
    },
  };
}

/**
 * Asks all hosts. An old primary that came back as it was accepts writes, too: of two, the one with the higher timeline was
 * promoted later.
 */
async function searchPrimary(urls: readonly string[]): Promise<string> {
  const answers = await Promise.all(
    urls.map((url) => ask(url, "select current_setting('transaction_read_only') as it")),
  );
  const writable = urls.filter((_url, at) => answers[at] === "off");
  const [first] = writable;
  if (first === undefined) {
    await pause(PAUSE_MS);
    throw new Error("none of its hosts accepts writes");
  }
  if (writable.length === 1) return first;
  const timelines = await Promise.all(
    writable.map((url) => ask(url, "select left(pg_walfile_name(pg_current_wal_lsn()), 8) as it")),
  );
  const newest = timelines
    .map((timeline) => timeline ?? "")
    .toSorted()
    .at(-1);
  return writable[timelines.indexOf(newest ?? null)] ?? first;
}

/** Null: the host did not answer. */
async function ask(url: string, sql: string): Promise<string | null> {
  const client = new Client({
    connectionString: url,
    application_name: "switchboard probe",
    connectionTimeoutMillis: PROBE_TIMEOUT_MS,
    query_timeout: PROBE_TIMEOUT_MS,
  });
  // A connection that breaks emits this event too. Without a listener it would end the process.
  client.on("error", () => undefined);
  try {
    await client.connect();
    return (await client.query<{ it: string }>(sql)).rows[0]?.it ?? null;
  } catch {
    return null;
  } finally {
    // A host that hangs does not close the connection.
    void client.end().catch(() => undefined);
  }
}
