// `switchboard sandbox`: the calling service in a box, alone.
import { readConfig } from "../config.ts";
import { createLog } from "../log.ts";
import { untilStopped } from "./untilStopped.ts";

/** Known to all, for it opens nothing but a sandbox on loopback. */
export const SANDBOX_TOKEN = "sandbox-token";
const WEBHOOK_AUTHORIZATION = "sandbox-webhook";

export async function sandbox(env: Readonly<Record<string, string | undefined>>): Promise<number> {
  const { sandbox: options, logLevel } = readConfig({ ...env, UPSTREAM_URL: undefined, UPSTREAM_TOKEN: undefined });
  const { port, timeZone, speed, seed, webhookUrl } = options;
  const token = options.token ?? SANDBOX_TOKEN;
  const authorization = options.webhookAuthorization ?? WEBHOOK_AUTHORIZATION;
  const log = createLog({ level: logLevel, secrets: [token, authorization] });
  const { createSandbox } = await import("../sandbox/sandbox.ts");
  return untilStopped(log, async (running) => {
    const webhook = webhookUrl === null ? null : { url: webhookUrl, authorization };
    const started = running.use(await createSandbox({ port, token, timeZone, speed, seed, webhook, log }));
    process.stderr.write(`\n  Sandbox        ${started.url}\n  Time zone      ${timeZone}\n\n`);
  });
}
