// Starts a sandbox with its history and its traffic, and uses its control API over HTTP (docs/sandbox.md).
import { fileURLToPath } from "node:url";
import type { SandboxOptions } from "../../sandbox/src/sandbox.ts";
import { startProgram } from "./program.ts";

export const CLI = fileURLToPath(new URL("../../src/cli.ts", import.meta.url));
export const TOKEN = "canary-upstream-token-5f1c";
export const WEBHOOK_AUTHORIZATION = "canary webhook value 81d3";
export const TIME_ZONE = "Asia/Shanghai";

export interface SeenRequest {
  method: string;
  path: string;
  query: string;
  status: number;
  body?: unknown;
}

export interface TestSandbox extends AsyncDisposable {
  url: string;
  /** Sends a request to the control API; throws unless the answer is 200. */
  control<T = unknown>(method: string, path: string, body?: unknown): Promise<T>;
  /** Ends a call now; resolves with its session id. */
  endCall(call?: Record<string, unknown>): Promise<string>;
  /** Requests to the service since the last `forget`. */
  requests(): Promise<SeenRequest[]>;
  forget(): Promise<void>;
}

/** In this process. `own`: options of the sandbox, such as `traffic: false`. */
export async function startSandbox(own: Partial<SandboxOptions> = {}): Promise<TestSandbox> {
  const { createSandbox } = await import("../../sandbox/src/sandbox.ts");
  const { silentLog } = await import("./silentLog.ts");
  return sandboxOf(await createSandbox({ token: TOKEN, timeZone: TIME_ZONE, webhook: null, log: silentLog, ...own }));
}

/** In a process of its own, for benchmarks, which must not share theirs. */
export async function spawnSandbox(): Promise<TestSandbox> {
  const program = startProgram([CLI, "sandbox"], {
    SANDBOX_PORT: "0",
    SANDBOX_TOKEN: TOKEN,
    SANDBOX_TIME_ZONE: TIME_ZONE,
  });
  const { url } = (await program.line((line) => line["msg"] === "The sandbox listens.")) as { url: string };
  return sandboxOf({ url, [Symbol.asyncDispose]: () => program[Symbol.asyncDispose]() });
}

export function sandboxOf(started: { url: string } & AsyncDisposable): TestSandbox {
  const { url } = started;
  async function control<T>(method: string, path: string, body?: unknown): Promise<T> {
    const response = await fetch(`${url}/sandbox/${path}`, {
      method,
      headers: { authorization: `Bearer ${TOKEN}`, "content-type": "application/json" },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    if (response.status !== 200) throw new Error(`${method} ${path}: ${response.status} ${await response.text()}`);
    return (await response.json()) as T;
  }
  return {
    url,
    control,
    endCall: async (call = {}) => (await control<{ sessionId: string }>("POST", "calls", call)).sessionId,
    requests: () => control<SeenRequest[]>("GET", "requests"),
    forget: async () => void (await control("DELETE", "requests")),
    [Symbol.asyncDispose]: () => started[Symbol.asyncDispose](),
  };
}
