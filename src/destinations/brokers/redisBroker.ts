// Redis Streams: an entry for each event. The client neither connects again nor repeats a command by itself: what was not confirmed is
// read from the log and sent again, as for every destination.
import { AddressError, createPublicLookup } from "../../upstream/outside/publicLookup.ts";
import { startDeadline } from "../../util/deadline.ts";
import type { Attempt } from "../deliverer.ts";
import { connectionFailure, failure, LIMITS, type Broker, type BrokerMessage, type BrokerOptions } from "./broker.ts";
import type { BrokerAddress } from "./brokerAddress.ts";
import { createKeptConnection } from "./keptConnection.ts";

export interface RedisStream {
  /** The key of the stream. */
  stream: string;
  /** Redis removes the oldest entries above about so many. Undefined: it removes none. */
  maxLength?: number | undefined;
  user?: string | undefined;
  password?: string | undefined;
}

export function createRedisBroker(
  address: BrokerAddress,
  { stream, maxLength, user, password }: RedisStream,
  { rules, ca, limits = LIMITS, ...addresses }: BrokerOptions,
): Broker {
  const { host, port, isEncrypted, database } = address;
  const addressChecks = createPublicLookup(addresses);

  async function open(signal: AbortSignal) {
    const isListed = rules.isListed(host, port);
    const refusal = isListed ? null : addressChecks.refusalOf(host);
    if (refusal) throw refusal;
    const { createClient } = await import("@redis/client");
    signal.throwIfAborted();
    const client = createClient({
      RESP: 2,
      database,
      ...(user === undefined ? {} : { username: user }),
      ...(password === undefined ? {} : { password }),
      disableClientInfo: true,
      disableOfflineQueue: true,
      // It would follow a server to an address that nobody has checked.
      maintNotifications: "disabled",
      socket: {
        host: host.replace(/^\[|\]$/g, ""),
        port,
        connectTimeout: limits.answerMs,
        reconnectStrategy: false,
        ...(isListed ? {} : { lookup: addressChecks.lookup }),
        ...(isEncrypted ? { tls: true, ...(ca === undefined ? {} : { ca }) } : {}),
      },
    });
    // The commands tell of failures. An event without a listener would end the process.
    client.on("error", () => undefined);
    const close = () => client.destroy();
    signal.addEventListener("abort", close, { once: true });
    try {
      await client.connect();
      // A Redis that needs a password answers an entry with another error: it reads no command as long as that.
      await client.sendCommand(["PING"]).catch(ignoreNoPermission);
    } catch (error) {
      client.destroy();
      throw error;
    }
    // It was closed while it was being opened.
    if (signal.aborted) client.destroy();
    return client;
  }
  const connection = createKeptConnection({ open, isOpen: ({ isReady }) => isReady, idleMs: limits.idleMs });
  const limit = maxLength === undefined ? [] : ["MAXLEN", "~", String(maxLength)];
  const entryOf = ({ id, revision, type, body }: BrokerMessage) => {
    const fields = ["id", id, "revision", String(revision), "type", type, "body", body];
    return ["XADD", stream, ...limit, "*", ...fields] as const;
  };

  return {
    async publish(message, signal) {
      using deadline = startDeadline(limits.answerMs, signal);
      try {
        await connection.use((client) => client.sendCommand(entryOf(message)), deadline.signal);
        return { outcome: "taken", status: null };
      } catch (error) {
        signal.throwIfAborted();
        return attemptOf(error);
      }
    },
    async [Symbol.asyncDispose]() {
      connection[Symbol.dispose]();
    },
  };
}

/** What people can do about it. */
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
};

/** The user may be one who can do nothing but write to the stream. */
function ignoreNoPermission(error: Error): void {
  if (!error.message.startsWith("NOPERM ")) throw error;
}

function attemptOf(error: unknown): Attempt {
  if (error instanceof AddressError) return failure(error.message);
  const { message, code: systemCode } = error as NodeJS.ErrnoException;
  // The text after the code may quote arguments.
  const [, code] = /^([A-Z]{3,20}) /.exec(message) ?? [];
  if (code === undefined || systemCode !== undefined) return connectionFailure(error);
  const reason = REASONS[code];
  return failure(reason === undefined ? `Redis refuses the entry (${code}).` : `Not taken: ${reason} (${code}).`);
}
