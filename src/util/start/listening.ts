// Listens on an address that may be taken, missing or without a name for a while.
import { exitCodes } from "./exitCodes.ts";
import { FinalError } from "./finalError.ts";
import type { Waiting } from "./waiting.ts";

export interface Address {
  /** The variables that name it, for the error. Without `host`, it is the loopback's. */
  variables: { port: string; host?: string };
  host: string;
}

type ListenError = NodeJS.ErrnoException & { port?: number; hostname?: string };

/** How long a taken port is waited for: a gateway before this one may just be ending. A service manager then starts it again. */
const TAKEN_MS = 5000;
/** The process will never have the right, or the machine not the protocol. */
const NEVER = new Set(["EACCES", "EPERM", "EAFNOSUPPORT", "EINVAL", "EPROTONOSUPPORT"]);

/** Throws a FinalError where the address cannot be had, with the exit code 1 if another program has it. */
export function listenWhenPossible<T>(listen: () => Promise<T>, address: Address, waiting: Waiting): Promise<T> {
  let firstFailureAt: number | null = null;
  return waiting.until(() =>
    listen().catch((error: unknown) => {
      firstFailureAt ??= performance.now();
      throw explainListenError(error as ListenError, address, performance.now() >= firstFailureAt + TAKEN_MS);
    }),
  );
}

/** `isLast`: a taken port is not waited for any more. Errors of something else stay as they are. */
export function explainListenError(error: ListenError, { variables, host }: Address, isLast = false): Error {
  const { code = "unknown cause", syscall, port, hostname } = error;
  const names = variables.host === undefined ? variables.port : `${variables.host} and ${variables.port}`;
  if (syscall === "getaddrinfo" && hostname === host) return new Error(`${variables.host} has no address (${code})`);
  if (syscall !== "listen") return error;
  if (code === "EADDRINUSE") {
    const text = `${variables.port}: port ${port} is taken by another program; set ${variables.port} to a free one, or to 0`;
    return isLast ? new FinalError(text, { exitCode: exitCodes.failure }) : new Error(text);
  }
  const text = `${names} cannot be listened on (${code})`;
  return NEVER.has(code) ? new FinalError(text) : new Error(text);
}
