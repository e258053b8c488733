// `switchboard check`: reads every variable and file, and looks whether the database, the service, the identity provider and the storage
// of recordings can be used. It changes nothing, and does not migrate. One line for each result.
import { constants, existsSync, realpathSync } from "node:fs";
import { access } from "node:fs/promises";
import { dirname } from "node:path";
import { ConfigError, type Config, type UpstreamConfig } from "../config/config.ts";
import { displayedDatabase, fileOfDatabase } from "../config/databaseUrls.ts";
import type { EnvFile } from "../config/envFile.ts";
import type { Environment } from "../config/readVariables.ts";
import type { SecretName } from "../config/secretFiles.ts";
import { strayVariables } from "../config/strayVariables.ts";
import { readDestinations, type AnyDestination } from "../destinations/destinationFile.ts";
import { createDestinationRules, destinationHosts } from "../gateway/destinationRules.ts";
import { readTrustedDocuments } from "../graphql/documents/trustedDocuments.ts";
import { schema } from "../schema/schema.ts";
import { inspectDatabase } from "../store/inspectDatabase.ts";
import type { ReadTables } from "../store/migrations/missingTables.ts";
import { missingDatabase } from "../store/migrations/migrations.ts";
import { callLogQueryString } from "../upstream/callLogQuery.ts";
import { fixedToken } from "../upstream/serviceToken.ts";
import { createSingleGet } from "../upstream/openTransport.ts";
import { fixedProxy } from "../upstream/proxyAgent.ts";
import { MINUTE_MS } from "../util/durations.ts";
import { exitCodes } from "../util/start/exitCodes.ts";
import { mayAnswerLater } from "../util/start/httpStatus.ts";
import { FinalError } from "../util/start/finalError.ts";
import { print } from "./output.ts";
import { warnOfUnknownAssistants, warnOfUnknownDestinations, warnOfUnknownTasks } from "./unknownNames.ts";
import { warnOfLittleMemory } from "./warnOfMemory.ts";
import { readAvailableConfig, shortSecretWarnings } from "./wholeConfig.ts";

interface Check {
  /** Without them it says nothing: their files are away. */
  secrets: readonly SecretName[];
  /** `warn` gets what a start would warn of. */
  run(config: Config, warn: (text: string) => void): Promise<string>;
}

const checks: Readonly<Record<string, Check>> = {
  documents: { secrets: [], run: checkDocuments },
  database: { secrets: ["DATABASE_URL", "PGPASSWORD"], run: checkDatabase },
  service: { secrets: ["UPSTREAM_TOKEN", "HTTP_PROXY", "HTTPS_PROXY"], run: checkService },
  identity: { secrets: [], run: checkIdentityProvider },
  recordings: {
    secrets: ["RECORDINGS_S3_ACCESS_KEY_ID", "RECORDINGS_S3_SECRET_ACCESS_KEY", "RECORDINGS_S3_SESSION_TOKEN"],
    run: checkRecordings,
  },
};

/**
 * `envFile`: the file that gave `env` a part. Resolves with 0, with 78 where no waiting helps, and with 1 where everything that fails may work later. Throws ConfigError, where a
 * variable or a file is wrong.
 */
export async function checkCommand(env: Environment, envFile: EnvFile | null): Promise<number> {
  const { config, secretsAway, listsAway } = await readAvailableConfig(env);
  let code: number = exitCodes.success;
  const fail = (name: string, error: Error) => {
    report("FAILED", name, error instanceof ConfigError ? error.problems.join("; ") : messageOf(error));
    if (code !== exitCodes.configuration) code = error instanceof FinalError ? error.exitCode : exitCodes.failure;
  };
  const away = [...secretsAway, ...listsAway];
  for (const problem of away) fail("configuration", new Error(problem));
  if (away.length === 0) report("ok", "configuration", "every variable and file can be read");
  if (envFile && envFile.names.length > 0)
    report("ok", "configuration", `${envFile.file} gives ${envFile.names.join(", ")}`);
  const warnings = [...(envFile?.warnings ?? []), ...strayVariables(env), ...shortSecretWarnings(config)];
  for (const text of warnings) report("warning", "configuration", text);
  warnOfLittleMemory({ warn: (_, text) => report("warning", "memory", text) });
  const isAway = (name: SecretName) => secretsAway.some((problem) => problem.startsWith(`${name}_FILE `));
  for (const [name, { secrets, run }] of Object.entries(checks)) {
    if (secrets.some(isAway)) continue;
    try {
      report("ok", name, await run(config, (text) => report("warning", name, text)));
    } catch (error) {
      fail(name, error as Error);
    }
  }
  return code;
}

function report(result: "ok" | "warning" | "FAILED", name: string, text: string): void {
  print(`${result.padEnd(8)} ${name.padEnd(14)} ${text}\n`);
}

/** One line. An error of the network often has only a code. */
function messageOf(error: unknown): string {
  const { message, code, cause } = error as NodeJS.ErrnoException;
  const reason = cause instanceof Error ? `: ${messageOf(cause)}` : "";
  return `${(message || code || "no answer").split("\n", 1)[0]}${reason}`;
}

async function checkDocuments(config: Config, warn: (text: string) => void): Promise<string> {
  const { trustedDocuments, introspection, destinations, queryBudget, logBudget, rawDeliveryDays } = config;
  const findTrusted = trustedDocuments && (await readTrustedDocuments(trustedDocuments, { schema, introspection }));
  let known: readonly AnyDestination[] = [];
  if (destinations.file !== null) {
    const own = { schema, hosts: destinationHosts(destinations), keepsBodies: rawDeliveryDays > 0 };
    const rules = createDestinationRules({ ...own, findTrusted, queryBudget, logBudget });
    known = await readDestinations(destinations.file, rules).catch((cause: Error) => {
      const text = `DESTINATIONS_FILE ${cause.message}`;
      throw cause instanceof FinalError ? new FinalError(text, { cause }) : new Error(text, { cause });
    });
  }
  await warnOfUnknownDestinations(config, known, warn);
  return findTrusted ? "all trusted documents can run" : "any document may run";
}

async function checkDatabase(config: Config, warn: (text: string) => void): Promise<string> {
  const { databaseUrl: url, databaseMustExist, databaseFsync } = config;
  const look = (read: ReadTables) => warnOfUnknownAssistants(config, read, warn);
  const { version, latest } = await inspectDatabase(url, databaseFsync, { warn, look });
  const database = displayedDatabase(url);
  if (version > latest)
    throw new FinalError(`${database} has schema version ${version}, and this gateway knows up to ${latest}`);
  if (version === 0 && databaseMustExist) throw missingDatabase();
  const file = fileOfDatabase(url);
  if (file !== null) await needsWritableFile(file);
  if (version === 0) return `${database} has no tables yet: the start CREATES A NEW, EMPTY DATABASE`;
  return `${database} has schema version ${version}${version < latest ? `; the start upgrades it to ${latest}` : ""}`;
}

async function checkService(
  { alertsFile, upstream, requests, proxy }: Config,
  warn: (text: string) => void,
): Promise<string> {
  if (upstream === null) return "the sandbox, which starts with the gateway";
  const status = await askService(upstream, { requests, proxy });
  if (status === 200) {
    await warnOfUnknownTasks({ alertsFile, upstream, requests, proxy }, warn);
    return "it answers, and accepts the token";
  }
  if (mayAnswerLater(status)) throw new Error(`the service answered the list of calls with HTTP ${status}`);
  if (status === 401 || status === 403) throw new FinalError(`the service refused UPSTREAM_TOKEN with HTTP ${status}`);
  throw new FinalError(`the service answered the list of calls with HTTP ${status}: is UPSTREAM_URL its base address?`);
}

async function checkIdentityProvider({ auth }: Config): Promise<string> {
  if (auth.kind === "open" || auth.tokens === null) return "none is set";
  const { countPublishedKeys } = await import("../auth/jwksKeys.ts");
  const keys = await countPublishedKeys(auth.tokens.jwksUrl);
  if (keys === 0) throw new Error("JWT_JWKS_URL has no keys");
  return `it publishes ${keys} ${keys === 1 ? "key" : "keys"}`;
}

/** Asks for the calls of the last minute, one a page. */
async function askService(
  upstream: UpstreamConfig,
  { requests, proxy }: Pick<Config, "requests" | "proxy">,
): Promise<number> {
  const { url, token, timeZone } = upstream;
  const { timeoutMs, assistantIds } = requests;
  const now = Date.now();
  const range = { since: new Date(now - MINUTE_MS).toISOString(), until: new Date(now).toISOString() };
  const query = { ...range, taskIds: [], assistantIds: [], direction: null, phone: null, kind: null };
  const path = callLogQueryString({ ...query, pageIndex: 1, pageSize: 1 }, { timeZone, assistantIds });
  await using service = createSingleGet({ url, token: fixedToken(token), proxy: fixedProxy(proxy), timeoutMs });
  return (await service.get(`/openapi/calllog?${path}`)).status;
}

/** Any name that no recording has. */
const NO_RECORDING = "0".repeat(64);

async function checkRecordings({ recordings, databaseMustExist }: Config): Promise<string> {
  const { directory, bucket } = recordings;
  if (bucket === null && databaseMustExist && !existsSync(directory))
    throw new Error("RECORDINGS_DIR names no folder, and DATABASE_MUST_EXIST is true");
  await needsWritableFolder(directory, "RECORDINGS_DIR");
  if (bucket === null) return existsSync(directory) ? "the folder is writable" : "the start creates the folder";
  const { createBucketStorage } = await import("../recordings/bucketStorage.ts");
  await using storage = createBucketStorage(bucket);
  await storage.read(NO_RECORDING, { first: 0, last: 0 }).catch((error: Error & { status?: number }) => {
    if (error.status === undefined || mayAnswerLater(error.status)) throw error;
    throw new FinalError(`${error.message}: look at RECORDINGS_S3_URL and its key`);
  });
  return "the bucket answers";
}

/** The database, if it is there, and what a gateway keeps beside it. They may be another user's. */
async function needsWritableFile(file: string): Promise<void> {
  await needsWritableFolder(dirname(file), "DATABASE_URL");
  if (!existsSync(file)) return;
  const target = realpathSync(file);
  for (const suffix of ["", "-wal", "-shm", "-lock"].filter((each) => existsSync(target + each)))
    await access(target + suffix, constants.R_OK | constants.W_OK).catch((error: NodeJS.ErrnoException) => {
      const reason = `may not be read and written (${error.code ?? "unknown cause"})`;
      throw new Error(`the file ${target}${suffix} of DATABASE_URL ${reason}`, { cause: error });
    });
}

/** The folder, or the nearest one above it that is there. */
async function needsWritableFolder(folder: string, variable: string): Promise<void> {
  let there = folder;
  while (!existsSync(there) && dirname(there) !== there) there = dirname(there);
  await access(there, constants.W_OK | constants.X_OK).catch((error: NodeJS.ErrnoException) => {
    throw new Error(`the folder of ${variable} is not writable (${error.code ?? "unknown cause"})`, { cause: error });
  });
}
