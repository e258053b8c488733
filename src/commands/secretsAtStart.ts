// A start whose secrets stand in files that are not mounted yet waits for them. Meanwhile it is alive and not ready.
import type { Config } from "../config/config.ts";
import type { Environment } from "../config/readVariables.ts";
import { createListener } from "../gateway/createListener.ts";
import type { Logger } from "../logger.ts";
import { noObservers } from "../server/metrics/observers.ts";
import { noTracing } from "../tracing/tracing.ts";
import { createLoopTurns } from "../util/loopTurns.ts";
import type { Waiting } from "../util/start/waiting.ts";
import { readAvailableConfig, type AvailableConfig } from "./wholeConfig.ts";

/** Resolves with the whole configuration. Throws ConfigError where a file that came is wrong. */
export async function readWhenThere(
  { config, secretsAway }: AvailableConfig,
  env: Environment,
  { waiting, log }: { waiting: Waiting; log: Logger },
): Promise<Config> {
  if (secretsAway.length === 0) return config;
  // Another one than that of the gateway, whose parts may need the secrets.
  const parts = { observers: noObservers, turns: createLoopTurns(), tracing: noTracing };
  await using listener = createListener({ config, ...parts, waiting, log });
  return await waiting.until(async () => {
    const found = await readAvailableConfig(env);
    if (found.secretsAway.length > 0) throw new Error(found.secretsAway.join("; "));
    return found.config;
  }, listener.listenEarly);
}
