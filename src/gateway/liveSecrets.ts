// The secrets that may change while the gateway runs, where they stand in files: the service's token, and the accepted values of
// webhooks.
import { statSync } from "node:fs";
import { watchFile, type WatchedFile } from "../auth/watchedFile.ts";
import type { Config, UpstreamConfig } from "../config/config.ts";
import { readSecretFile, type SecretName } from "../config/secretFiles.ts";
import { secretText } from "../config/variableRules.ts";
import type { Log } from "../log.ts";
import { FinalError } from "../util/start/finalError.ts";
import type { ServiceToken } from "../upstream/serviceToken.ts";

export interface LiveSecrets extends AsyncDisposable {
  token: ServiceToken;
  /** The accepted values of a webhook's Authorization header: the current and the previous one. The same list until one changes. */
  accepted: () => readonly string[];
}

type SecretsConfig = Pick<Config, "secretFiles" | "webhook"> & { upstream: Pick<UpstreamConfig, "token"> };

/** Rejects with an Error of one line where a file cannot be read any more. */
export async function watchSecrets(config: SecretsConfig, log: Log): Promise<LiveSecrets> {
  const { secretFiles, webhook, upstream } = config;
  await using parts = new AsyncDisposableStack();
  /** Null: the secret stands in no file, or in one that can be read once only, such as a pipe. */
  const watch = async (name: SecretName): Promise<WatchedFile<string> | null> => {
    const file = secretFiles[name];
    if (file === undefined || statSync(file, { throwIfNoEntry: false })?.isFile() === false) return null;
    const read = async () => {
      const secret = readSecret(file);
      log.hide(secret);
      return secret;
    };
    return parts.use(await watchFile({ file, variable: `${name}_FILE`, read, log }));
  };
  const token = await watch("UPSTREAM_TOKEN");
  const current = await watch("WEBHOOK_AUTHORIZATION");
  const previous = await watch("WEBHOOK_AUTHORIZATION_PREVIOUS");

  const findAccepted = (): readonly string[] => {
    const [ofConfig, previousOfConfig] = webhook.accepted;
    const values = [current?.current() ?? ofConfig, previous?.current() ?? previousOfConfig];
    return [...new Set(values.filter((value) => value !== undefined))];
  };
  let accepted = findAccepted();
  for (const file of [current, previous]) file?.onChange(() => (accepted = findAccepted()));
  const running = parts.move();
  return {
    token: {
      current: () => token?.current() ?? upstream.token,
      reread: async () => token?.reread(),
    },
    accepted: () => accepted,
    [Symbol.asyncDispose]: () => running.disposeAsync(),
  };
}

/** Throws as readSecretFile does. */
function readSecret(file: string): string {
  const secret = readSecretFile(file);
  const [issue] = secretText.safeParse(secret).error?.issues ?? [];
  if (issue) throw new FinalError(`names a file whose content ${issue.message}`);
  return secret;
}
