// Starts a sandbox and a gateway for all tests of a file.
import { afterAll } from "vitest";
import { startGateway, type TestGateway } from "./gateway.ts";
import type { Environment } from "./program.ts";
import { startSandbox, type TestSandbox } from "./sandbox.ts";

/** Await it at the top of the file. Both end after the file's last test. `env` is the gateway's. */
export async function startBoth(env: Environment = {}): Promise<{ sandbox: TestSandbox; gateway: TestGateway }> {
  await using parts = new AsyncDisposableStack();
  const sandbox = parts.use(await startSandbox());
  const gateway = parts.use(await startGateway(sandbox, env));
  const started = parts.move();
  afterAll(() => started.disposeAsync());
  return { sandbox, gateway };
}
