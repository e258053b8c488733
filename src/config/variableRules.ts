// The formats that a variable's value may have. Each rule looks at one variable; crossChecks.ts compares variables. The
// messages never repeat a value.
import { z } from "zod";
import { isTimeZone } from "../format/wallClock.ts";
import { databaseUrls, fileOfDatabase, hasPlainCredentials } from "./databaseUrls.ts";
import { isOwnPath } from "./ownPaths.ts";

export const wholeNumber = (min: number, max: number) =>
  z
    .string()
    .regex(/^\d{1,15}$/, `must be a whole number from ${min} to ${max}`)
    .transform(Number)
    .refine((value) => value >= min && value <= max, `must be a whole number from ${min} to ${max}`)
    .meta({ min, max });

export const httpUrl = z.string().refine((text) => {
  const url = URL.parse(text);
  return url !== null && /^https?:$/.test(url.protocol) && !url.username && !url.password && !url.search && !url.hash;
}, "must be an http or https address without credentials, query or fragment");

/** A path that every server reads alike: without escapes, parameters and empty segments. */
const PLAIN_PATH = /^(\/[\w\-.~]+)*\/?$/;

/** Addresses below which others may lie: origin and path, without the last slash, such as https://router.example/callback. */
export const urlPrefixes = z
  .string()
  .transform((text) => text.split(",").map((part) => plainAddressOf(part.trim())))
  .refine(
    (addresses) => !addresses.includes(null),
    "must be http or https addresses without credentials, query, fragment and escapes, separated by commas",
  )
  .transform((addresses) => addresses.filter((address) => address !== null));

function plainAddressOf(text: string): string | null {
  const url = URL.parse(text);
  if (!url || !/^https?:$/.test(url.protocol) || url.username || url.password || url.search || url.hash) return null;
  return PLAIN_PATH.test(url.pathname) ? url.origin + url.pathname.replace(/\/$/, "") : null;
}

/** The address of an identity provider's keys. Unlike other addresses, it may have a query. */
export const jwksUrl = z.string().refine((text) => {
  const url = URL.parse(text);
  return url !== null && /^https?:$/.test(url.protocol) && !url.username && !url.password;
}, "must be an http or https address without credentials");

/** A day of UTC. Becomes its noon, in epoch milliseconds. */
export const dateText = z
  .string()
  .regex(/^\d{4}-\d\d-\d\d$/, "must be a date, such as 2026-11-25")
  .transform((text) => Date.parse(`${text}T12:00:00Z`))
  .refine((time) => !Number.isNaN(time), "must be a date, such as 2026-11-25");

export const timeZone = z.string().refine(isTimeZone, "must be an IANA time zone, such as Asia/Shanghai");

/** A secret that is sent as a header's value. */
export const secretText = z.string().regex(/^[\x20-\x7e]+$/, "must be printable ASCII");

export const webhookPath = z
  .string()
  .regex(/^\/[\w\-.~/]*[\w\-.~]\/?$/, "must be a path, such as /calllog")
  // HTTP clients remove such parts before they send the request.
  .refine((path) => !/\/\.{1,2}(\/|$)/.test(path), "must not have a part that is . or ..")
  .transform((path) => path.replace(/\/$/, ""))
  .refine((path) => !isOwnPath(path), "is a path that the gateway uses itself");

/** PostgreSQL addresses may leave out the host, also after a user: the query then names it, or the default is used. */
const isAddress = (text: string) => URL.canParse(text.replace("@/", "@localhost/"));
export const databaseUrl = z
  .string()
  .regex(/^(file:(?!:memory:).+|postgres(ql)?:\/\/.+)/s, "must be file:PATH, a file on disk, or postgres://…")
  .refine((text) => fileOfDatabase(text) !== null || hasPlainCredentials(text), {
    message:
      "has a password with special characters: write %40 for @, %2F for /, %3F for ?, %23 for #, or use PGPASSWORD",
    abort: true,
  })
  .refine((text) => fileOfDatabase(text) !== null || databaseUrls(text).every(isAddress), "is not a valid address")
  .refine(
    (text) => !/[?&]target_session_attrs=(?!(read-write|primary)(&|$))/.test(text),
    "must have target_session_attrs=read-write: a gateway writes",
  );

export const origins = z
  .string()
  .transform((text) => text.split(",").map((origin) => origin.trim()))
  .refine(
    (list) => list.every((origin) => URL.parse(origin)?.origin === origin && !/^null$|\*/.test(origin)),
    "must be exact origins, such as https://app.example, separated by commas",
  );

export const filePaths = z
  .string()
  .transform((text) => text.split(",").map((path) => path.trim()))
  .refine((paths) => paths.every((path) => path !== ""), "must be paths of files, separated by commas");

/** The names of the events that end a call, as the service writes them. */
export const eventNames = z
  .string()
  .transform((text) => text.split(",").map((name) => name.trim()))
  .refine((names) => names.every((name) => name !== ""), "must be names of events, separated by commas");

/** Names of fields of the graph. */
export const fieldNames = z
  .string()
  .transform((text) => text.split(",").map((name) => name.trim()))
  .refine((names) => names.every((name) => /^\w+$/.test(name)), "must be names of fields, separated by commas");

/** Some of these names, separated by commas. */
export function namesOf<const Name extends string>(names: readonly Name[]) {
  const isName = (text: string): text is Name => names.some((name) => name === text);
  return z
    .string()
    .transform((text) => text.split(",").map((name) => name.trim()))
    .refine((list): list is Name[] => list.every(isName), `must be some of ${names.join(", ")}, separated by commas`);
}
