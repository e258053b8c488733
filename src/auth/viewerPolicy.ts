// What a key or token may do beyond its scopes: `limits` of the tasks that it creates, `access` to some rows only. Several policies
// of one viewer all hold: the smaller number counts, and only what every list allows is allowed.
import { z } from "zod";
import { isTimeZone } from "../format/wallClock.ts";
import { createBoundedCache } from "../util/boundedCache.ts";
import { canonicalJson } from "../util/canonicalJson.ts";
import { ruleAt, ruleOf } from "./settingRules.ts";

const MAX_ENTRIES = 1000;

const COUNT_RULE = "must be a whole number from 1 to 1000000000";
const count = z.int(COUNT_RULE).min(1, COUNT_RULE).max(1_000_000_000, COUNT_RULE);
const ids = z
  .array(z.string().regex(/^[1-9]\d{0,18}$/, 'must be an ID in quotes, such as "60"'))
  .min(1)
  .max(MAX_ENTRIES);
/** The text of a number before its other digits: with a plus from the country code on, without one as it is dialled. */
const prefix = z.string().regex(/^\+?\d{1,15}$/, "must be 1 to 15 digits, with a plus before them or without");
const timeOfDay = z
  .string()
  .regex(/^(?:[01]\d|2[0-3]):[0-5]\d$|^24:00$/, "must be a time of day from 00:00 to 24:00, such as 09:00");

const timeZone = z.string().refine(isTimeZone, "must be an IANA time zone, such as Asia/Shanghai");

const hours = { from: timeOfDay, to: timeOfDay };
const isInOrder = ({ from, to }: { from: string; to: string }) => from < to;
const ORDER_RULE = "must end after it begins";

const viewerLimits = z.strictObject({
  numbersPerTask: count.optional(),
  tasksPerHour: count.optional(),
  tasksPerDay: count.optional(),
  numbersPerHour: count.optional(),
  numbersPerDay: count.optional(),
  lineIds: ids.optional(),
  assistantIds: ids.optional(),
  prefixes: z.array(prefix).min(1).max(MAX_ENTRIES).optional(),
  /** By the service's clock. */
  callingHours: z.strictObject(hours).refine(isInOrder, ORDER_RULE).optional(),
  /** By the clock of the people that are called. Several rules of a prefix all hold, as for a country with several zones. */
  calledHours: z
    .array(z.strictObject({ prefix, timeZone, ...hours }).refine(isInOrder, ORDER_RULE))
    .min(1)
    .max(MAX_ENTRIES)
    .optional(),
});

/** All named parts must hold. */
const viewerAccess = z.strictObject({
  taskIds: ids.optional(),
  assistantIds: ids.optional(),
  lineIds: ids.optional(),
  submittedBy: z.literal("self").optional(),
});

export type ViewerLimits = z.output<typeof viewerLimits>;
export type ViewerAccess = z.output<typeof viewerAccess>;

/**
 * Whether a viewer with this access may create tasks: each row that it sees is its own work.
 */
export function maySubmit(access: ViewerAccess | null): boolean {
  return Object.entries(access ?? {}).every(([name, value]) => name === "submittedBy" || value === undefined);
}

/** Null: no restriction. Equal policies share their objects as far as memory allows. */
export interface ViewerPolicy {
  limits: ViewerLimits | null;
  access: ViewerAccess | null;
}

/** The members of a key's entry, of a token's claim `switchboard`, and of an entry of TOKEN_POLICY_FILE. */
export const policyFields = {
  limits: viewerLimits.optional(),
  access: viewerAccess.optional(),
};
const policyObject = z.strictObject(policyFields);
export type PolicyInput = z.output<typeof policyObject>;

/** A fault says what is wrong, as the end of a sentence: the value is not a policy then. */
export function readPolicy(value: unknown): { policy: PolicyInput } | { fault: string } {
  const { data, error } = policyObject.safeParse(value, { error: ruleOf });
  if (data) return { policy: data };
  const [{ path, message }] = error.issues as [z.core.$ZodIssue];
  return { fault: ruleAt(path, message) };
}

/** Combines the policies of one viewer. */
export type CombinePolicies = (policies: readonly PolicyInput[]) => ViewerPolicy;

/** For everyone without a policy. */
export const unrestricted: ViewerPolicy = { limits: null, access: null };

/** Policies that are kept to be shared. */
const MAX_SHARED = 10_000;

export function createCombinePolicies(): CombinePolicies {
  const known = createBoundedCache<string, object>({ maxEntries: MAX_SHARED });
  function shared<Part extends object>(part: Part | null): Part | null {
    if (part === null) return null;
    const text = canonicalJson(part);
    if (text === "{}") return null;
    const same = (known.get(text) as Part | undefined) ?? part;
    known.set(text, same);
    return same;
  }
  return (policies) => {
    const limits = policies.flatMap((policy) => policy.limits ?? []).map(sorted);
    const access = policies.flatMap((policy) => policy.access ?? []).map(sorted);
    return {
      limits: shared(limits.reduce<ViewerLimits | null>(both, null)),
      access: shared(access.reduce<ViewerAccess | null>(both, null)),
    };
  };
}

/** Lists in one order and without repetitions, so that equal policies have equal texts. */
function sorted<Part extends object>(part: Part): Part {
  const entries = Object.entries(part).map(([name, value]: [string, unknown]) => [
    name,
    Array.isArray(value) ? sortedList(value as unknown[]) : value,
  ]);
  return Object.fromEntries(entries) as Part;
}

function sortedList(entries: readonly unknown[]): unknown[] {
  const byText = new Map(entries.map((entry) => [canonicalJson(entry), entry]));
  return [...byText.keys()].sort().map((text) => byText.get(text));
}

/** A part that only one of the two names stays as it is. */
function both<Part extends object>(one: Part | null, other: Part): Part {
  const first: Record<string, unknown> = { ...one };
  for (const [name, value] of Object.entries(other) as [string, unknown][]) {
    if (value !== undefined) first[name] = first[name] === undefined ? value : bothValues(name, first[name], value);
  }
  return first as Part;
}

function bothValues(name: string, a: unknown, b: unknown): unknown {
  if (typeof a === "number" && typeof b === "number") return Math.min(a, b);
  if (name === "calledHours") return sortedList([...(a as CalledHours[]), ...(b as CalledHours[])]);
  if (name === "prefixes") return longerPrefixes(a as string[], b as string[]);
  if (Array.isArray(a)) return a.filter((entry) => (b as unknown[]).includes(entry));
  if (name === "callingHours") return commonHours(a as CallingHours, b as CallingHours);
  return b;
}

/** The numbers that begin with a prefix of each list. */
function longerPrefixes(a: readonly string[], b: readonly string[]): string[] {
  const within = (some: readonly string[], others: readonly string[]) =>
    some.filter((prefix) => others.some((other) => prefix.startsWith(other)));
  return [...new Set([...within(a, b), ...within(b, a)])].sort();
}

export type CallingHours = NonNullable<ViewerLimits["callingHours"]>;
export type CalledHours = NonNullable<ViewerLimits["calledHours"]>[number];

/** Hours without a common time end before they begin: then no period is within them. */
function commonHours(a: CallingHours, b: CallingHours): CallingHours {
  return { from: a.from > b.from ? a.from : b.from, to: a.to < b.to ? a.to : b.to };
}
