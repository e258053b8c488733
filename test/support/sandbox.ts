// Starts the sandbox as its own process, and uses its control API (docs/sandbox.md).
import { fileURLToPath } from "node:url";
import { startProgram, type Environment, type Program } from "./program.ts";

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

export interface SandboxProgram extends Program {
  url: string;
  /** Sends a request to the control API; throws unless the answer is 200. */
  control<T = unknown>(method: string, path: string, body?: unknown): Promise<T>;
  /** Ends a call now; resolves with its session id. */
  endCall(call?: Record<string, unknown>): Promise<string>;
  /** Requests to the service since the last `forget`. */
  requests(): Promise<SeenRequest[]>;
  forget(): Promise<void>;
}

export async function startSandbox(env: Environment = {}): Promise<SandboxProgram> {
  const program = startProgram([CLI, "sandbox"], {
    SANDBOX_PORT: "0",
    SANDBOX_TOKEN: TOKEN,
    SANDBOX_TIME_ZONE: TIME_ZONE,
    SANDBOX_WEBHOOK_AUTHORIZATION: WEBHOOK_AUTHORIZATION,
    ...env,
  });
  const { url } = (await program.line((line) => line["msg"] === "The sandbox listens.")) as { url: string };

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
    ...program,
    url,
    control,
    endCall: async (call = {}) => (await control<{ sessionId: string }>("POST", "calls", call)).sessionId,
    requests: () => control<SeenRequest[]>("GET", "requests"),
    forget: async () => void (await control("DELETE", "requests")),
  };
}
