// The connections of the pool, as the rest of the store uses them.
import type { PostgresPool, PostgresPoolClient } from "kysely";
import { DatabaseError, type Pool } from "pg";
import { noStoreObserver, type StoreObserver } from "../storeObserver.ts";
import type { Connect } from "./poolerCheck.ts";
import { GUARD_SQL, isLostSession } from "./sessionSettings.ts";

export interface Clients extends PostgresPool {
  connect(): Promise<PostgresPoolClient & { release(discard?: boolean): void }>;
}

export interface ClientsOptions {
  observer?: StoreObserver | undefined;
  /** Called when a write failed, and not because of what was written. */
  onWriteFailure?: (() => void) | undefined;
}

/** Full disks and other resources, errors of the disk, read-only transactions and missing rights; and no answer in time. */
function isWriteFailure(error: unknown): boolean {
  return !(error instanceof DatabaseError) || /^(53|58|25006|42501)/.test(error.code ?? "");
}

const LOST_SESSION =
  "a pooler has reset the gateway's session with PostgreSQL, or given it another one. Set pool_mode=session for this database";

/**
 * Does not reuse a connection whose session lost its settings, or after an error that the server did not send, such as pg's query
 * timeout. The server may be gone, for example after a failover, and only a new connection finds its successor.
 */
export function createClients(
  pool: Pool,
  connect: Connect,
  { observer = noStoreObserver, onWriteFailure = () => {} }: ClientsOptions,
): Clients {
  return {
    options: pool.options,
    end: () => pool.end(),
    async connect() {
      const client = await connect();
      let isDoubtful = false;
      const query = async (text: string, values: unknown[]) => {
        const startedAt = performance.now();
        // What must not get lost is written in a transaction.
        const isBegin = text.startsWith("begin");
        try {
          return await client.query(isBegin ? text.replace("begin", `begin; ${GUARD_SQL}`) : text, values);
        } catch (error) {
          const isLost = error instanceof DatabaseError && isBegin && isLostSession(error);
          if (isLost || !(error instanceof DatabaseError)) isDoubtful = true;
          if (isLost) throw new Error(LOST_SESSION, { cause: error });
          if (isWriteFailure(error)) onWriteFailure();
          throw error;
        } finally {
          observer.answered("postgres", performance.now() - startedAt, () => [text]);
        }
      };
      const release = (discard?: boolean) => client.release(discard === true || isDoubtful);
      return { query, release } as unknown as Awaited<ReturnType<Clients["connect"]>>;
    },
  };
}
