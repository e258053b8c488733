// The rules between variables: which ones need each other, and which ones exclude each other. Gives one text per problem.
import { bucketFault } from "./recordingsConfig.ts";
import { tracingProblems } from "./tracingConfig.ts";
import type { Variables } from "./variables.ts";

/** Checks variables of which each one is valid by itself, or was given with a bad value. */
export function crossChecks(vars: Partial<Variables>): string[] {
  return [
    ...recordingProblems(vars),
    ...tracingProblems(vars),
    ...portProblems(vars),
    ...budgetProblems(vars),
    ...upstreamProblems(vars),
    ...authProblems(vars),
    ...federationProblems(vars),
  ];
}

export function isLoopback(host: string): boolean {
  return host === "localhost" || host === "::1" || /^127(\.\d{1,3}){3}$/.test(host);
}

/** A router writes documents of its own, which no manifest can list. */
function federationProblems(vars: Partial<Variables>): string[] {
  const problems = [];
  if (vars.FEDERATION === "on" && vars.TRUSTED_DOCUMENTS !== undefined)
    problems.push("FEDERATION=on and TRUSTED_DOCUMENTS exclude each other: the router's documents are its own");
  if (
    vars.FEDERATION !== "on" &&
    vars.SUBSCRIPTION_CALLBACK_URLS !== undefined &&
    vars.SUBSCRIPTION_CALLBACK_URLS.length > 0
  )
    problems.push("FEDERATION=on is needed with SUBSCRIPTION_CALLBACK_URLS: only routers use callbacks");
  return problems;
}

function recordingProblems(vars: Partial<Variables>): string[] {
  const needed = ["RECORDINGS_S3_URL", "RECORDINGS_S3_ACCESS_KEY_ID", "RECORDINGS_S3_SECRET_ACCESS_KEY"] as const;
  const { RECORDINGS_S3_URL: url, RECORDINGS_S3_ADDRESSING: addressing, RECORDINGS_S3_REGION: region } = vars;
  const fault = url === undefined ? null : bucketFault({ url, addressing, region });
  const others = (["RECORDINGS_S3_ADDRESSING", "RECORDINGS_S3_SESSION_TOKEN"] as const).filter(
    (name) => url === undefined && vars[name] !== undefined,
  );
  return [
    ...allOrNone(vars, needed),
    ...others.map((name) => `RECORDINGS_S3_URL is needed with ${name}`),
    ...(fault === null ? [] : [`RECORDINGS_S3_${fault[0].toUpperCase()} ${fault[1]}`]),
  ];
}

function budgetProblems({ LOG_BUDGET: budget, LOG_RATE_LIMIT: rateLimit }: Partial<Variables>): string[] {
  if (budget === undefined || rateLimit === undefined || budget <= rateLimit) return [];
  return ["LOG_BUDGET must not be above LOG_RATE_LIMIT: one operation could need more than a minute gives"];
}

function upstreamProblems(vars: Partial<Variables>): string[] {
  if (vars.UPSTREAM_URL === undefined)
    return vars.UPSTREAM_TOKEN === undefined ? [] : ["UPSTREAM_URL is needed with UPSTREAM_TOKEN"];
  const needed = ["UPSTREAM_TOKEN", "UPSTREAM_TIME_ZONE", "WEBHOOK_AUTHORIZATION"] as const;
  return needed.filter((name) => vars[name] === undefined).map((name) => `${name} is needed with UPSTREAM_URL`);
}

/** A gateway that others can reach, or that serves the real service, is open only if AUTH=none says so. */
function authProblems(vars: Partial<Variables>): string[] {
  const problems = allOrNone(vars, ["JWT_JWKS_URL", "JWT_ISSUER", "JWT_AUDIENCE"]);
  if (vars.TOKEN_POLICY_FILE !== undefined && vars.JWT_JWKS_URL === undefined)
    problems.push("JWT_JWKS_URL is needed with TOKEN_POLICY_FILE");
  const authorities = (["API_KEYS_FILE", "JWT_JWKS_URL"] as const).filter((name) => vars[name] !== undefined);
  if (vars.AUTH !== undefined) problems.push(...authorities.map((name) => `AUTH and ${name} exclude each other`));
  if (vars.AUTH === undefined && authorities.length === 0) {
    if (vars.UPSTREAM_URL !== undefined)
      problems.push("API_KEYS_FILE or JWT_JWKS_URL is needed with UPSTREAM_URL, or the word AUTH=none");
    else if (!isLoopback(vars.HOST ?? ""))
      problems.push("API_KEYS_FILE or JWT_JWKS_URL (or AUTH=none) is needed where HOST is not loopback");
  }
  return problems;
}

/** If one of these variables is set, the others must be too. */
function allOrNone(vars: Partial<Variables>, names: readonly (keyof Variables)[]): string[] {
  const set = names.filter((name) => vars[name] !== undefined);
  if (set.length === 0) return [];
  return names.filter((name) => !set.includes(name)).map((name) => `${name} is needed with ${set.join(" and ")}`);
}

/** Values of HOST for which the gateway and the sandbox listen on the same address. */
const LOCAL_HOSTS: readonly unknown[] = [undefined, "127.0.0.1", "localhost", "0.0.0.0", "::"];

/** One process listens on all of its ports. Port 0 is a free port, a different one each time. */
function portProblems(vars: Partial<Variables>): string[] {
  const hasSandbox = vars.UPSTREAM_URL === undefined && LOCAL_HOSTS.includes(vars.HOST);
  const names = ["PORT", "METRICS_PORT", ...(hasSandbox ? ["SANDBOX_PORT" as const] : [])] as const;
  const isPort = (value: unknown) => typeof value === "number" && value !== 0;
  return names.flatMap((name, at) =>
    names
      .slice(at + 1)
      .filter((other) => isPort(vars[name]) && vars[name] === vars[other])
      .map((other) => `${name} and ${other} must not be the same port`),
  );
}
