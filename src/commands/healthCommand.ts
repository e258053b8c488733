// `switchboard health`: asks the gateway of this machine whether it is alive or ready, for images without curl. It reads HOST and
// PORT as the gateway does.
import { isIPv6 } from "node:net";
import { ConfigError, variables } from "../config/config.ts";
import { readVariables } from "../config/readVariables.ts";
import { exitCodes } from "../util/start/exitCodes.ts";
import { notify, print } from "./output.ts";

const TIMEOUT_MS = 2000;
/** A gateway that listens on every address is asked on the loopback. */
const LOOPBACK: Readonly<Record<string, string>> = { "0.0.0.0": "127.0.0.1", "::": "::1" };

/** Resolves with 0 for an answer 200, and with 1 for another one or none. Throws ConfigError. */
export async function healthCommand({ ready }: { ready: boolean }, env: NodeJS.ProcessEnv): Promise<number> {
  const { HOST, PORT } = readVariables({ HOST: variables.HOST, PORT: variables.PORT }, env);
  if (PORT === 0) throw new ConfigError(["PORT is 0, so the gateway's address is unknown"]);
  const host = LOOPBACK[HOST] ?? HOST;
  const url = `http://${isIPv6(host) ? `[${host}]` : host}:${PORT}${ready ? "/readyz" : "/livez"}`;
  const answer = await ask(url);
  const isHealthy = answer.status === 200;
  (isHealthy ? print : notify)(`${answer.text.trim()}\n`);
  return isHealthy ? exitCodes.success : exitCodes.failure;
}

async function ask(url: string): Promise<{ status: number | null; text: string }> {
  try {
    const response = await fetch(url, { signal: AbortSignal.timeout(TIMEOUT_MS), redirect: "manual" });
    return { status: response.status, text: await response.text() };
  } catch {
    return { status: null, text: `No gateway answers at ${url}.` };
  }
}
