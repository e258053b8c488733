// Finds the address at which a NATS server greets. The client leaves a connection open whose server says nothing, and reads on what never becomes
// a line, so it gets only an address that has just been seen to speak its protocol.
import { once } from "node:events";
import { connect } from "node:net";
import { startDeadline } from "../../util/deadline.ts";

/** The server says something else than a greeting, or nothing in time. */
export class GreetingError extends Error {}

const GREETING = /^INFO \{.*\}\s*\r\n/;
const MAX_BYTES = 64 * 1024;

/** `answerMs`: for all addresses together. Throws a GreetingError, or the error of the last connection, if none greets. */
export async function findGreeting(
  hosts: readonly string[],
  port: number,
  { answerMs, signal }: { answerMs: number; signal: AbortSignal },
): Promise<string> {
  let last: unknown = null;
  for (const host of hosts) {
    // A silent address leaves time for the next one.
    using deadline = startDeadline(Math.ceil(answerMs / hosts.length), signal);
    try {
      await readGreeting(host, port, deadline.signal);
      return host;
    } catch (error) {
      signal.throwIfAborted();
      last = error;
    }
  }
  throw last;
}

async function readGreeting(host: string, port: number, signal: AbortSignal): Promise<void> {
  const socket = connect({ host: host.replace(/^\[|\]$/g, ""), port });
  const leave = () => void socket.destroy();
  signal.addEventListener("abort", leave, { once: true });
  try {
    await once(socket, "connect", { signal });
    let said = "";
    for await (const chunk of socket.setEncoding("latin1")) {
      said += chunk as string;
      if (said.includes("\n") || said.length > MAX_BYTES) break;
    }
    if (!said.includes("\n") && said.length <= MAX_BYTES) throw new Error("The server left.");
    if (!GREETING.test(said)) throw new GreetingError("No NATS server greets at this address.");
  } catch (error) {
    throw signal.aborted ? new GreetingError("No NATS server greets at this address in time.") : error;
  } finally {
    signal.removeEventListener("abort", leave);
    socket.destroy();
  }
}
