// NATS JetStream: a message for each event, with its id for the stream's own deduplication. The client neither connects again nor publishes
// again by itself. A publication is a request: the stream answers it with a PubAck.
import { isIP } from "node:net";
import { z } from "zod";
import { AddressError, createPublicLookup } from "../../upstream/outside/publicLookup.ts";
import { startDeadline } from "../../util/deadline.ts";
import type { Attempt } from "../deliverer.ts";
import { connectionFailure, failure, LIMITS, type Broker, type BrokerOptions } from "./broker.ts";
import type { BrokerAddress } from "./brokerAddress.ts";
import { addressesOf } from "./brokerAddresses.ts";
import { createKeptConnection } from "./keptConnection.ts";
import { findGreeting, GreetingError } from "./natsGreeting.ts";
import { subjectOf } from "./natsSubject.ts";

export interface NatsSubject {
  /** The destination's name. Two destinations may publish the same event to one stream, under different subjects. */
  name: string;
  /** As natsSubject.ts has it. */
  subject: string;
  /** A password without a user is a token. */
  user?: string | undefined;
  password?: string | undefined;
}

/** The confirmation of JetStream. */
const pubAck = z.union([
  z.object({ error: z.object({ err_code: z.number().optional(), code: z.number() }) }),
  // The number 0 stands for a message that was not stored: https://github.com/nats-io/nats-server/issues/5818
  z.object({ stream: z.string().min(1), seq: z.number().min(1) }),
]);

export function createNatsBroker(
  address: BrokerAddress,
  { name, subject, user, password }: NatsSubject,
  { rules, ca, limits = LIMITS, ...addresses }: BrokerOptions,
): Broker {
  const { host, port, isEncrypted } = address;
  const isListed = rules.isListed(host, port);
  const addressChecks = createPublicLookup(addresses);
  const literal = host.replace(/^\[|\]$/g, "");
  // The client passes them on to tls.connect: what the certificate must be for.
  const named = isIP(literal) === 0 ? { servername: literal } : { host: literal };
  const tls = { ...named, rejectUnauthorized: true, ...(ca === undefined ? {} : { ca }) };

  async function open(signal: AbortSignal) {
    const hosts = isListed ? [host] : await addressesOf(host, addressChecks);
    const { connect } = await import("@nats-io/transport-node");
    const greeting = await findGreeting(hosts, port, { answerMs: limits.answerMs, signal });
    const connection = await connect({
      servers: `${greeting}:${port}`,
      resolve: false,
      reconnect: false,
      // It would go on with servers whose addresses nobody has checked.
      ignoreClusterUpdates: true,
      timeout: limits.answerMs,
      tls: isEncrypted ? tls : null,
      // A connection that nobody needs any more shows no password.
      authenticator: () => credentialsFor(signal),
    });
    const close = () => void connection.close();
    signal.addEventListener("abort", close, { once: true });
    if (signal.aborted) close();
    return connection;
  }
  function credentialsFor(signal: AbortSignal) {
    signal.throwIfAborted();
    if (password === undefined) return undefined;
    return user === undefined ? { auth_token: password } : { user, pass: password };
  }
  const connection = createKeptConnection({ open, isOpen: (each) => !each.isClosed(), idleMs: limits.idleMs });

  return {
    async publish({ id, data, body }, signal) {
      const to = subjectOf(subject, data);
      if ("missing" in to)
        return failure(`Not taken: the subject has {${to.missing}}, which the message does not show.`);
      using deadline = startDeadline(limits.answerMs, signal);
      try {
        return await connection.use(async (client) => {
          const { headers } = await import("@nats-io/transport-node");
          const own = headers();
          own.set("Nats-Msg-Id", `${id}.${name}`);
          const options = { headers: own, timeout: limits.answerMs };
          // Others may have opened the connection meanwhile, and this attempt is over.
          deadline.signal.throwIfAborted();
          return attemptOf(await client.request(to.subject, body, options));
        }, deadline.signal);
      } catch (error) {
        signal.throwIfAborted();
        return failureOf(error);
      }
    },
    async [Symbol.asyncDispose]() {
      connection[Symbol.dispose]();
    },
  };
}

const NO_STREAM =
  "Not taken: no stream of JetStream has this subject. Create one, such as by `nats stream add`, or mend the member subject.";

function attemptOf(answer: { string(): string }): Attempt {
  const { data: ack } = pubAck.safeParse(jsonOf(answer.string()));
  // Somebody else than JetStream may listen at the subject.
  if (!ack) return failure("Not taken: the answer is no confirmation of JetStream.");
  if (!("error" in ack)) return { outcome: "taken", status: null };
  const { err_code: code = ack.error.code } = ack.error;
  const reason = REASONS[code] ?? "JetStream refuses the message";
  return failure(`Not taken: ${reason} (${code}).`);
}

/** What people can do about it, by the code of the server. Its text may quote more. */
const REASONS: Readonly<Record<number, string>> = {
  10002: "the account has reached its limits for JetStream",
  10023: "JetStream has no resources left",
  10028: "JetStream has no memory left",
  10039: "JetStream is not enabled for this account",
  10047: "JetStream has no storage left",
  10054: "the message is larger than the stream allows",
  10109: "the stream is sealed and takes no messages any more",
  10077: "the stream cannot store it, or is full and discards new messages",
};

function failureOf(error: unknown): Attempt {
  if (error instanceof AddressError || error instanceof GreetingError) return failure(error.message);
  const { name, cause } = error as Error;
  const names = [name, cause instanceof Error ? cause.name : ""];
  if (names.includes("NoResponders")) return failure(NO_STREAM);
  if (names.includes("AuthorizationError"))
    return failure("Not taken: NATS does not know this user with this password.");
  if (names.includes("PermissionViolationError"))
    return failure("Not taken: the user may not publish to this subject, or not subscribe to _INBOX.>.");
  if (names.includes("InvalidArgumentError"))
    return failure("Not taken: the message is larger than the server allows.");
  return names.includes("TimeoutError") ? failure("The broker did not confirm in time.") : connectionFailure(error);
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
