// The secrets that may change while the gateway runs, where they stand in files. Those of the sandbox stay until the next start.
import { statSync } from "node:fs";
import { watchFile, type WatchedFile } from "../auth/watchedFile.ts";
import { variables, type Config, type UpstreamConfig } from "../config/config.ts";
import { isSameDatabase, withPassword } from "../config/databaseUrls.ts";
import type { ProxyConfig } from "../config/proxyConfig.ts";
import type { BucketKeys } from "../config/recordingsConfig.ts";
import { hiddenTexts, readSecretFile, type SecretName } from "../config/secretFiles.ts";
import type { Logger } from "../logger.ts";
import { FinalError } from "../util/start/finalError.ts";
import type { LiveProxy } from "../upstream/proxyAgent.ts";
import type { ServiceToken } from "../upstream/serviceToken.ts";

export interface LiveSecrets extends AsyncDisposable {
  token: ServiceToken;
  /** The accepted values of a webhook's Authorization header: the current and the previous one. The same list until one changes. */
  accepted: () => readonly string[];
  /** The address of the database for new connections: its host stays, its credentials may change. */
  databaseUrl: () => string;
  /** Those of now; `first`: those of the configuration. */
  bucketKeys: (first: BucketKeys) => BucketKeys;
  proxy: LiveProxy;
}

type SecretsConfig = Pick<Config, "secretFiles" | "webhook" | "databaseAddress" | "proxy"> & {
  upstream: Pick<UpstreamConfig, "token">;
};
type GatewaySecret = Exclude<SecretName, "SWITCHBOARD_KEY">;

/** Rejects with an Error of one line where a file cannot be read any more. */
export async function watchSecrets(config: SecretsConfig, log: Logger): Promise<LiveSecrets> {
  const { webhook, upstream } = config;
  await using parts = new AsyncDisposableStack();
  const watch = async (name: GatewaySecret) => {
    const file = await watchSecret(name, config, log);
    return file === null ? null : parts.use(file);
  };
  const token = await watch("UPSTREAM_TOKEN");
  const current = await watch("WEBHOOK_AUTHORIZATION");
  const previous = await watch("WEBHOOK_AUTHORIZATION_PREVIOUS");
  const database = await watch("DATABASE_URL");
  const password = await watch("PGPASSWORD");
  const keyId = await watch("RECORDINGS_S3_ACCESS_KEY_ID");
  const key = await watch("RECORDINGS_S3_SECRET_ACCESS_KEY");
  const session = await watch("RECORDINGS_S3_SESSION_TOKEN");

  const httpProxy = await watch("HTTP_PROXY");
  const httpsProxy = await watch("HTTPS_PROXY");

  const { databaseAddress } = config;
  const address = database === null ? () => databaseAddress.url : followDatabase(database, log);
  const findAccepted = (): readonly string[] => {
    const [ofConfig, previousOfConfig] = webhook.accepted;
    const values = [current?.current() ?? ofConfig, previous?.current() ?? previousOfConfig];
    return [...new Set(values.filter((value) => value !== undefined))];
  };
  let { proxy } = config;
  const findProxy = () => {
    const http = variables.HTTP_PROXY.parse(httpProxy?.current());
    const https = variables.HTTPS_PROXY.parse(httpsProxy?.current());
    proxy &&= { ...proxy, ...(http !== undefined && { http }), ...(https !== undefined && { https }) };
  };
  for (const file of [httpProxy, httpsProxy]) file?.onChange(findProxy);
  let accepted = findAccepted();
  for (const file of [current, previous]) file?.onChange(() => (accepted = findAccepted()));
  const running = parts.move();
  return {
    token: {
      current: () => token?.current() ?? upstream.token,
      reread: async () => token?.reread(),
    },
    accepted: () => accepted,
    databaseUrl: () => withPassword(address(), password?.current() ?? databaseAddress.password),
    bucketKeys: (first) => ({
      accessKeyId: keyId?.current() ?? first.accessKeyId,
      secretAccessKey: key?.current() ?? first.secretAccessKey,
      sessionToken: session?.current() ?? first.sessionToken,
    }),
    proxy: proxy && (() => proxy as ProxyConfig),
    [Symbol.asyncDispose]: () => running.disposeAsync(),
  };
}

/** Null: the secret stands in no file, or in one that can be read once only, such as a pipe. Rejects as watchSecrets does. */
export async function watchSecret(
  name: GatewaySecret,
  { secretFiles }: Pick<Config, "secretFiles">,
  log: Logger,
): Promise<WatchedFile<string> | null> {
  const file = secretFiles[name];
  if (file === undefined || statSync(file, { throwIfNoEntry: false })?.isFile() === false) return null;
  const read = async () => {
    const secret = readSecret(name, file);
    for (const text of hiddenTexts(name, secret)) log.hide(text);
    return secret;
  };
  return watchFile({ file, variable: `${name}_FILE`, read, log });
}

/** Throws as readSecretFile does, and a FinalError where the variable could not have this value. */
function readSecret(name: GatewaySecret, file: string): string {
  const secret = readSecretFile(file);
  const [issue] = variables[name].safeParse(secret).error?.issues ?? [];
  if (issue) throw new FinalError(`names a file whose content ${issue.message}`);
  return secret;
}

/** Another database needs another start: the log and all that was read of it is that of the first one. */
function followDatabase(file: WatchedFile<string>, log: Logger): () => string {
  let url = file.current();
  file.onChange(() => {
    if (isSameDatabase(url, file.current())) url = file.current();
    else
      log.error(
        {},
        "DATABASE_URL_FILE names another database: it is used after a restart only, and until then the one before",
      );
  });
  return () => url;
}
