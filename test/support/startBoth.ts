// A sandbox and a gateway in front of it, which a whole file of tests asks.
import { afterAll } from "vitest";
import { startGateway, type GatewayProgram } from "./gateway.ts";
import type { Environment } from "./program.ts";
import { startSandbox, type SandboxProgram } from "./sandbox.ts";

/** To be awaited at the top of the file, before its first test; both end with its last. `env` is the gateway's. */
export async function startBoth(env: Environment = {}): Promise<{ sandbox: SandboxProgram; gateway: GatewayProgram }> {
  await using parts = new AsyncDisposableStack();
  const sandbox = parts.use(await startSandbox());
  const gateway = parts.use(await startGateway(sandbox, env));
  const started = parts.move();
  afterAll(() => started.disposeAsync());
  return { sandbox, gateway };
}
