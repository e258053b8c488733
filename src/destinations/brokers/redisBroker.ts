// Redis Streams: an entry for each event. The client neither connects again nor repeats a command by itself: what was not confirmed is
// read from the log and sent again, as for every destination.
import { AddressError, createPublicLookup } from "../../upstream/outside/publicLookup.ts";
import { startDeadline } from "../../util/deadline.ts";
import type { Attempt } from "../deliverer.ts";
import { connectionFailure, failure, LIMITS, type Broker, type BrokerMessage, type BrokerOptions } from "./broker.ts";
import type { BrokerAddress } from "./brokerAddress.ts";
import { createKeptConnection } from "./keptConnection.ts";
import { entryRefusal, handshakeFailure, RedisRefusal } from "./redisRefusal.ts";

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
      // A connection that nobody needs any more shows no password.
      credentialsProvider: { type: "async-credentials-provider", credentials: async () => credentialsFor(signal) },
      disableClientInfo: true,
      disableOfflineQueue: true,
      // It would follow a server to an address that nobody has checked.
      maintNotifications: "disabled",
      socket: {
        host: host.replace(/^\[|\]$/g, ""),
        port,
        connectTimeout: limits.answerMs,
        reconnectStrategy: false,
        // The client's own end does not reach a socket that is still connecting.
        signal,
        ...(isListed ? {} : { lookup: addressChecks.lookup }),
        ...(isEncrypted ? { tls: true, rejectUnauthorized: true, ...(ca === undefined ? {} : { ca }) } : {}),
      },
    });
    const close = () => client.destroy();
    // The commands tell of failures, and an event without a listener would end the process. After an answer that is none of the protocol, the
    // client would go on, and give a command the answer of another one.
    client.on("error", close);
    signal.addEventListener("abort", close, { once: true });
    try {
      await client.connect();
      // A Redis that needs a password answers an entry with another error: it reads no command as long as that.
      await client.sendCommand(["PING"]).catch(ignoreNoPermission);
      signal.throwIfAborted();
    } catch (error) {
      close();
      throw handshakeFailure(error);
    }
    return client;
  }
  function credentialsFor(signal: AbortSignal) {
    signal.throwIfAborted();
    return { ...(user === undefined ? {} : { username: user }), ...(password === undefined ? {} : { password }) };
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
        await connection.use(
          async (client) => checkEntryId(await client.sendCommand(entryOf(message))),
          deadline.signal,
        );
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

function attemptOf(error: unknown): Attempt {
  if (error instanceof AddressError || error instanceof RedisRefusal) return failure(error.message);
  const refusal = entryRefusal(error);
  return refusal ? failure(refusal.message) : connectionFailure(error);
}

/** Only the ID of an entry says that it was added. */
function checkEntryId(reply: unknown): void {
  if (typeof reply !== "string" || !/^\d+-\d+$/.test(reply))
    throw new RedisRefusal("Not taken: the answer is not the ID of an entry.");
}

/** The user may be one who can do nothing but write to the stream. */
function ignoreNoPermission(error: Error): void {
  if (!error.message.startsWith("NOPERM ")) throw error;
}
