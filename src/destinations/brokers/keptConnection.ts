// One connection for many messages: opened when the first one needs it, and anew after a failure. Clients of brokers can do the same by
// themselves, but then they send again what may have arrived, or keep in memory what the log keeps.
import { rejectedBy } from "../../util/deadline.ts";

export interface KeptConnectionOptions<Client> {
  /** Opens a connection, which the signal's abort closes, also while it is being opened. */
  open(signal: AbortSignal): Promise<Client>;
  isOpen(client: Client): boolean;
  idleMs: number;
}

export interface KeptConnection<Client> extends Disposable {
  /** Rejects as `open` and `work` do, or when the signal aborts. A connection with a failure gets nothing more, and is closed when its last user is done. */
  use<T>(work: (client: Client) => Promise<T>, signal: AbortSignal): Promise<T>;
}

interface Connection<Client> {
  client: Promise<Client>;
  opened: Client | null;
  closing: AbortController;
  users: number;
  usedAt: number;
}

export function createKeptConnection<Client>({
  open,
  isOpen,
  idleMs,
}: KeptConnectionOptions<Client>): KeptConnection<Client> {
  let current: Connection<Client> | null = null;
  const all = new Set<Connection<Client>>();

  function begin(): Connection<Client> {
    const closing = new AbortController();
    const begun = { client: open(closing.signal), opened: null, closing, users: 0, usedAt: performance.now() };
    const connection: Connection<Client> = begun;
    all.add(connection);
    connection.client.then(
      (client) => (connection.opened = client),
      () => undefined,
    );
    return connection;
  }
  function isFit({ opened, users, usedAt }: Connection<Client>): boolean {
    if (opened === null) return true;
    return isOpen(opened) && (users > 0 || performance.now() - usedAt <= idleMs);
  }
  function leave(connection: Connection<Client>): void {
    if (current === connection) current = null;
    if (connection.users > 0) return;
    all.delete(connection);
    connection.closing.abort();
  }
  return {
    async use(work, signal) {
      signal.throwIfAborted();
      if (current && !isFit(current)) leave(current);
      const connection = (current ??= begin());
      connection.users += 1;
      let isFailed = true;
      try {
        const done = connection.client.then(work);
        const made = await Promise.race([done, rejectedBy(signal, done)]);
        isFailed = false;
        return made;
      } finally {
        connection.users -= 1;
        connection.usedAt = performance.now();
        if (isFailed || current !== connection) leave(connection);
      }
    },
    [Symbol.dispose]() {
      current = null;
      for (const { closing } of all) closing.abort();
      all.clear();
    },
  };
}
