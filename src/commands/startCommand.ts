// `switchboard start`: runs the gateway, with the sandbox if UPSTREAM_URL is not set.
import { randomBytes } from "node:crypto";
import type { Config, UpstreamConfig } from "../config/config.ts";
import type { EnvFile } from "../config/envFile.ts";
import { strayVariables } from "../config/strayVariables.ts";
import { createGateway, type Gateway } from "../gateway.ts";
import { createLogger, type Logger } from "../logger.ts";
import type { RecordingsConfig } from "../config/recordingsConfig.ts";
import { readHostRule } from "../config/hostList.ts";
import type { Sandbox } from "../../sandbox/src/sandbox.ts";
import { takePrintedLines } from "../util/logging/printedLines.ts";
import { listenWhenPossible } from "../util/start/listening.ts";
import type { Waiting } from "../util/start/waiting.ts";
import { beginSandbox } from "./beginSandbox.ts";
import { notify } from "./output.ts";
import { shrinkHeapWhenQuiet } from "./shrinkHeap.ts";
import { warnOfLittleMemory } from "./warnOfMemory.ts";
import { runUntilSignal } from "./runServer.ts";
import { SANDBOX_ADDRESS } from "./sandboxCommand.ts";
import { readWhenThere } from "./secretsAtStart.ts";
import { readAvailableConfig, secretsOf, shortSecretWarnings } from "./wholeConfig.ts";

type Environment = Readonly<Record<string, string | undefined>>;

/** `envFile`: the file that gave `env` a part. Resolves with the exit code after a signal. Throws ConfigError, or an Error of one line. */
export async function startCommand(env: Environment, envFile: EnvFile | null): Promise<number> {
  const available = await readAvailableConfig(env);
  using log = createLogger({ level: available.config.logLevel, secrets: secretsOf(available.config, env) });
  using _printed = takePrintedLines(log);

  if (envFile && envFile.names.length > 0)
    log.info({ file: envFile.file, variables: envFile.names }, "settings come from a file");
  const warnings = [...(envFile?.warnings ?? []), ...strayVariables(env), ...shortSecretWarnings(available.config)];
  for (const text of warnings) log.warn({}, text);
  warnOfLittleMemory(log);

  // Awaited, so that both are there until the end.
  return await runUntilSignal(log, async (running, waiting) => {
    const config = await readWhenThere(available, env, { waiting, log });
    for (const secret of secretsOf(config, env)) log.hide(secret);
    if (config.proxy !== null)
      log.info({}, "requests to the service go through the proxy of HTTPS_PROXY or HTTP_PROXY; all others go directly");
    const secret = () => {
      const made = randomBytes(24).toString("base64url");
      log.hide(made);
      return made;
    };
    const token = config.upstream?.token ?? config.sandbox.token ?? secret();
    const accepted = config.webhook.accepted.length > 0 ? config.webhook.accepted : [secret()];
    const sandbox = config.upstream ? null : running.use(await startSandbox(config, token, waiting, log));
    const upstream = config.upstream ?? upstreamOf(sandbox as Sandbox, token, config);
    const gateway = running.use(
      await createGateway(
        {
          ...config,
          upstream,
          webhook: { ...config.webhook, accepted },
          recordings: recordingsOf(config, sandbox),
          named: namedOf(config, sandbox),
        },
        log,
        // At a speed above 1 the sandbox's clock runs ahead: both must have the same day.
        { waiting, ...(sandbox && { clock: sandbox.now, isClockSimulated: config.sandbox.speed > 1 }) },
      ),
    );
    sandbox?.setWebhook({ url: gateway.url + config.webhook.path, authorization: accepted[0] as string });
    log.info({ url: gateway.url, sandbox: sandbox?.url ?? null }, "the gateway listens");
    notify(greeting(gateway, config, sandbox));
    if (sandbox) void beginSandbox(sandbox, gateway, { config, log });
    running.use(shrinkHeapWhenQuiet());
  });
}

async function startSandbox({ sandbox }: Config, token: string, waiting: Waiting, log: Logger): Promise<Sandbox> {
  // Loaded only if there is no UPSTREAM_URL, so never in production.
  const { createSandbox } = await import("../../sandbox/src/sandbox.ts");
  const { port, timeZone, speed, seed } = sandbox;
  const listen = () => createSandbox({ port, token, timeZone, speed, seed, webhook: null, forPeople: true, log });
  return listenWhenPossible(listen, SANDBOX_ADDRESS, waiting);
}

/** The sandbox's assistants have names, also where no task shows them. */
function namedOf({ named }: Config, sandbox: Sandbox | null): Config["named"] {
  if (!sandbox || named.assistants.length > 0) return named;
  return { ...named, assistants: sandbox.control.state().assistants.map(({ id, name }) => ({ id, name })) };
}

function upstreamOf({ url }: Sandbox, token: string, { sandbox }: Config): UpstreamConfig {
  return { url, token, timeZone: sandbox.timeZone };
}

/** Always allows downloads of recordings from the embedded sandbox. */
function recordingsOf({ recordings }: Config, sandbox: Sandbox | null): RecordingsConfig {
  const rule = sandbox && readHostRule(new URL(sandbox.url).host);
  return rule ? { ...recordings, ownHosts: [rule] } : recordings;
}

function greeting({ url, hasNewDatabase, database }: Gateway, config: Config, sandbox: Sandbox | null): string {
  const hasPage = config.introspection && config.trustedDocuments === null;
  const lines = [
    "",
    `  Switchboard    ${url}${config.pages.console ? "   (the console: open it in a browser)" : ""}`,
    `  GraphQL        ${url}/graphql${hasPage ? "   (GraphiQL in a browser)" : ""}`,
    ...(config.pages.docs ? [`  Documentation  ${url}/docs/`] : []),
    `  Live events    ${url.replace(/^http/, "ws")}/graphql`,
    `  Webhook        ${url}${config.webhook.path}`,
    ...(sandbox ? [`  Sandbox        ${sandbox.url}   (a simulated calling service: no real phone rings)`] : []),
    "",
    `  Events are stored in ${database}${hasNewDatabase ? ", A NEW, EMPTY DATABASE" : ""}. Press Ctrl+C to stop the gateway.`,
    "",
    "",
  ];
  return lines.join("\n");
}
