// `switchboard sandbox`: runs the sandbox without a gateway. Reads only the sandbox's variables and LOG_LEVEL.
import { sandboxConfigOf } from "../config/sandboxConfig.ts";
import { readVariables } from "../config/readVariables.ts";
import { createLogger } from "../logger.ts";
import { sandboxVariables, variables } from "../config/variables.ts";
import { notify } from "./output.ts";
import { runUntilSignal } from "./runServer.ts";
import { listenWhenPossible } from "../util/start/listening.ts";

/** Where each sandbox listens. */
export const SANDBOX_ADDRESS = { host: "127.0.0.1", variables: { port: "SANDBOX_PORT" } };

/** Defaults of a sandbox that runs alone. They are public: they protect only simulated calls, on this machine. */
export const SANDBOX_TOKEN = "sandbox-token";
export const WEBHOOK_AUTHORIZATION = "sandbox-webhook";

/** Resolves with the exit code after a signal. Throws ConfigError. */
export async function sandboxCommand(env: Readonly<Record<string, string | undefined>>): Promise<number> {
  const vars = readVariables({ ...sandboxVariables, LOG_LEVEL: variables.LOG_LEVEL }, env);
  const options = sandboxConfigOf(vars);
  const { port, timeZone, speed, seed, webhookUrl } = options;
  const token = options.token ?? SANDBOX_TOKEN;
  const authorization = options.webhookAuthorization ?? WEBHOOK_AUTHORIZATION;
  const log = createLogger({ level: vars.LOG_LEVEL, secrets: [token, authorization] });
  const { createSandbox } = await import("../../sandbox/src/sandbox.ts");
  return runUntilSignal(log, async (running, waiting) => {
    const webhook = webhookUrl === null ? null : { url: webhookUrl, authorization };
    const listen = () => createSandbox({ port, token, timeZone, speed, seed, webhook, log });
    const started = running.use(await listenWhenPossible(listen, SANDBOX_ADDRESS, waiting));
    notify(`\n  Sandbox        ${started.url}\n  Time zone      ${timeZone}\n\n`);
  });
}
