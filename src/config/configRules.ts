// What a variable of the environment may look like; messages name no value.
import { z } from "zod";
import { ConfigError } from "./configError.ts";
import { isTimeZone } from "../format/wallClock.ts";

export type AuthConfig =
  /** `byDefault`: nobody said so; it is the sandbox on loopback. */
  | { kind: "open"; byDefault: boolean }
  /** At least one of them is there. */
  | { kind: "known"; keysFile: string | null; tokens: TokensConfig | null };

/** Of an identity provider. */
export interface TokensConfig {
  jwksUrl: string;
  issuer: string;
  audience: string;
}

export const wholeNumber = (least: number, most: number) =>
  z
    .string()
    .regex(/^\d{1,15}$/, `must be a whole number from ${least} to ${most}`)
    .transform(Number)
    .refine((value) => value >= least && value <= most, `must be a whole number from ${least} to ${most}`);

export const httpUrl = z.string().refine((text) => {
  const url = URL.parse(text);
  return url !== null && /^https?:$/.test(url.protocol) && !url.username && !url.password && !url.search && !url.hash;
}, "must be an http or https address without credentials, query or fragment");

export const timeZone = z.string().refine(isTimeZone, "must be an IANA time zone, such as Asia/Shanghai");
const headerValue = z.string().regex(/^[\x20-\x7e]+$/, "must be printable ASCII");
const isTrimmed = (text: string) => text.trim() === text;
const NOT_TRIMMED = "must not begin or end with a space";
export const secretText = headerValue.refine(isTrimmed, NOT_TRIMMED);

/** Compared as it is with what a token holds. */
export const claim = z.string().refine(isTrimmed, NOT_TRIMMED);

export const webhookPath = z
  .string()
  .regex(/^\/[\w\-.~/]*[\w\-.~]\/?$/, "must be a path, such as /calllog")
  // Whoever sends to it would take such parts out first.
  .refine((path) => !/\/\.{1,2}(\/|$)/.test(path), "must not have a part that is . or ..")
  .transform((path) => path.replace(/\/$/, ""))
  .refine((path) => !/^\/(graphql|livez|readyz|recordings(\/.*)?)$/.test(path), "is an address that is taken");

/** A database's address may leave its host out, behind a user too: it is in its query then, or the usual one. */
const isAddress = (text: string) => URL.canParse(text.replace("@/", "@localhost/"));
export const databaseUrl = z
  .string()
  .regex(/^(file:(?!:memory:).+|postgres(ql)?:\/\/.+)/s, "must be file:PATH, a file on disk, or postgres://…")
  .refine((text) => text.startsWith("file:") || isAddress(text), "is no address that can be read");

export const origins = z
  .string()
  .transform((text) => text.split(",").map((origin) => origin.trim()))
  .refine(
    (list) => list.every((origin) => URL.parse(origin)?.origin === origin && !/^null$|\*/.test(origin)),
    "must be exact origins, such as https://app.example, separated by commas",
  );

/** Some of these names, separated by commas. */
export function namesOf<const Name extends string>(names: readonly Name[]) {
  const isName = (text: string): text is Name => names.some((name) => name === text);
  return z
    .string()
    .transform((text) => text.split(",").map((name) => name.trim()))
    .refine(
      (given): given is Name[] => given.every(isName),
      `must be some of ${names.join(", ")}, separated by commas`,
    );
}

/** Of a provider's keys: its address may have a query. */
export const jwksUrl = z.string().refine((text) => {
  const url = URL.parse(text);
  return url !== null && /^https?:$/.test(url.protocol) && !url.username && !url.password;
}, "must be an http or https address without credentials");

export function isLoopback(host: string): boolean {
  return host === "localhost" || host === "::1" || /^127(\.\d{1,3}){3}$/.test(host);
}

/** What the variables of AUTH, keys and tokens come to. */
export function authOf(
  vars: Partial<Record<"AUTH" | "API_KEYS_FILE" | `JWT_${string}`, string | undefined>>,
): AuthConfig {
  const { API_KEYS_FILE: keysFile, JWT_JWKS_URL: jwksUrl, JWT_ISSUER: issuer, JWT_AUDIENCE: audience } = vars;
  const tokens =
    jwksUrl === undefined || issuer === undefined || audience === undefined ? null : { jwksUrl, issuer, audience };
  if (keysFile === undefined && tokens === null) return { kind: "open", byDefault: vars.AUTH === undefined };
  return { kind: "known", keysFile: keysFile ?? null, tokens };
}

/** An empty variable counts as one that is not set. */
export function givenOf(env: Readonly<Record<string, string | undefined>>): Record<string, string> {
  const given: Record<string, string> = {};
  for (const [name, value] of Object.entries(env)) if (value !== undefined && value !== "") given[name] = value;
  return given;
}

/** Of a few variables, whatever else is set. Throws ConfigError. */
export function readVariables<S extends z.ZodRawShape>(rules: S, env: Readonly<Record<string, string | undefined>>) {
  const parsed = z.object(rules).safeParse(givenOf(env));
  if (parsed.success) return parsed.data;
  throw new ConfigError(parsed.error.issues.map(({ path, message }) => `${path.join(".")} ${message}`));
}

/** Where the sandbox listens too. */
const LOCAL_HOSTS: readonly unknown[] = [undefined, "127.0.0.1", "localhost", "0.0.0.0", "::"];

/** One process listens on all of them, the sandbox's where it is started; 0 is another one each time. */
export function portConflicts(
  vars: Partial<
    Record<"HOST" | "PORT" | "METRICS_PORT" | "SANDBOX_PORT", unknown> & { UPSTREAM_URL: string | undefined }
  >,
): string[] {
  const names = [
    "PORT",
    "METRICS_PORT",
    ...(vars.UPSTREAM_URL === undefined && LOCAL_HOSTS.includes(vars.HOST) ? ["SANDBOX_PORT" as const] : []),
  ] as const;
  const isPort = (value: unknown) => typeof value === "number" && value !== 0;
  return names.flatMap((name, at) =>
    names
      .slice(at + 1)
      .filter((other) => isPort(vars[name]) && vars[name] === vars[other])
      .map((other) => `${name} and ${other} must not be the same port`),
  );
}
