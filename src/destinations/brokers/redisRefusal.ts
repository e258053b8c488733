// What the errors of a Redis mean for people. Only the code of an error is shown: the text after it may quote arguments, with a password.

/** Its message is for people. */
export class RedisRefusal extends Error {
  override readonly name = "RedisRefusal";
}

const REASONS: Readonly<Record<string, string>> = {
  LOADING: "Redis is loading its data",
  READONLY: "this Redis is a replica and takes no entries",
  OOM: "Redis has reached its maxmemory",
  NOAUTH: "Redis needs a user or a password",
  WRONGPASS: "Redis does not know this user with this password",
  NOPERM: "the user may not write to this stream",
  MOVED: "this Redis is a node of a cluster, and the stream is on another one",
  WRONGTYPE: "the key of the stream holds something else",
  MISCONF: "Redis cannot save its data",
  NOREPLICAS: "Redis has too few replicas",
  BUSY: "a script holds up Redis",
  CLUSTERDOWN: "the cluster of Redis does not serve this stream now",
};

/** Beginnings of the errors of a connection that have a code in common with others. */
const OF_CONNECTIONS: readonly [RegExp, string][] = [
  [
    /^ERR (AUTH <password> called without|Client sent AUTH, but no)/,
    "Redis has no password: leave out the member password",
  ],
  [/^ERR (DB index is out of range|invalid DB index)/, "Redis has no database of this number"],
  [/^ERR SELECT is not allowed in cluster mode/, "a node of a cluster has no databases"],
  [/^ERR max number of clients reached/, "Redis has reached its maxclients"],
  [/^NOPERM /, "the user may not choose a database"],
];

/** The beginning of an error of an entry that has its code in common with others. */
const EXHAUSTED = "ERR The stream has exhausted the last possible ID";

/** Null: it is no answer of Redis. */
export function entryRefusal(error: unknown): RedisRefusal | null {
  const code = codeOf(error);
  if (code === null) return null;
  const isExhausted = (error as Error).message.startsWith(EXHAUSTED);
  const reason = isExhausted ? "the stream has no ID left: rename its key" : REASONS[code];
  return new RedisRefusal(
    reason === undefined ? `Redis refuses the entry (${code}).` : `Not taken: ${reason} (${code}).`,
  );
}

/** The error of a connection that was being opened. One that is no answer of Redis stays as it is. */
export function handshakeFailure(error: unknown): unknown {
  const code = codeOf(error);
  if (code === null) return error;
  const { message } = error as Error;
  const reason = OF_CONNECTIONS.find(([beginning]) => beginning.test(message))?.[1] ?? REASONS[code];
  return new RedisRefusal(
    reason === undefined ? `Redis refuses the connection (${code}).` : `Not taken: ${reason} (${code}).`,
  );
}

function codeOf(error: unknown): string | null {
  if (!(error instanceof Error) || (error as NodeJS.ErrnoException).code !== undefined) return null;
  return /^([A-Z]{3,20}) /.exec(error.message)?.[1] ?? null;
}
