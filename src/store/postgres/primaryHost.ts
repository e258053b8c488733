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

/** `urlsNow`: one address for each host, in an order that stays, with the credentials of now. */
export function createPrimaryHost(urlsNow: () => readonly string[]): PrimaryHost {
  /** The place of the host among them. */
  const only = urlsNow().length === 1 ? 0 : null;
  let known: number | null = only;
  let search: Promise<number> | null = null;
  const addressAt = (at: number) => urlsNow()[at] as string;
  return {
    async find() {
      if (known !== null) return addressAt(known);
      search ??= searchPrimary(urlsNow()).finally(() => {
        search = null;
      });
      return addressAt((known = await search));
    },
    known: () => (known === null ? null : addressAt(known)),
    forget() {
      known = only;
    },
  };
}

/**
 * Asks all hosts. An old primary that came back as it was accepts writes, too: of two, the one with the higher timeline was
 * promoted later.
 */
async function searchPrimary(urls: readonly string[]): Promise<number> {
  const answers = await Promise.all(
    urls.map((url) => ask(url, "select current_setting('transaction_read_only') as it")),
  );
  const writable = Array.from(urls.keys()).filter((at) => answers[at] === "off");
  const [first] = writable;
  if (first === undefined) {
    await pause(PAUSE_MS);
    throw new Error("none of its hosts accepts writes");
  }
  if (writable.length === 1) return first;
  const timelines = await Promise.all(
    writable.map((at) => ask(urls[at] as string, "select left(pg_walfile_name(pg_current_wal_lsn()), 8) as it")),
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
