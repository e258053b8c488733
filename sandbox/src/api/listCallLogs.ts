// GET /openapi/calllog (service.md 4.1): reads the query strictly, then filters, sorts and pages the calls.
import type { Call, CallKind, Direction } from "../world/model.ts";
import type { Quirks } from "../control/quirks.ts";
import { hash } from "../random.ts";
import type { Shapes } from "./responseShapes.ts";
import { HttpError } from "./response.ts";
import { dayOf, parseWall } from "../timeText.ts";

/** A finite number, because the difference of two infinities is NaN. */
const STILL_GOING = Number.MAX_SAFE_INTEGER;

/** @param deps.calls oldest start first. */
export function listCallLogs(
  params: ListParams,
  deps: { calls: readonly Call[]; quirks: Quirks; shapes: Shapes },
): Record<string, unknown> {
  const { quirks, shapes } = deps;
  const found = sortCalls(
    startedWithin(deps.calls, params, quirks).filter(
      (call) => isInRange(call, params, quirks) && matchesFilters(call, params, quirks),
    ),
    quirks,
  );
  const pageSize = Math.min(params.pageSize, quirks.maxPageSize ?? params.pageSize);
  const first = (params.pageIndex - 1) * pageSize;
  const rows = found.slice(first, first + pageSize).map(shapes.callLog);
  const isBeyond = rows.length === 0 && params.pageIndex > 1;
  return {
    items: isBeyond && quirks.nullBeyondEnd ? null : shapes.nullIfEmpty(rows),
    total: found.length,
    pageIndex: params.pageIndex,
    pageSize: quirks.pageSizeTold === "used" ? pageSize : params.pageSize,
    ...shapes.extraFields(),
  };
}

/** Spares the others of a million calls a look. */
function startedWithin(
  calls: readonly Call[],
  { startTime, endTime }: ListParams,
  { rangeField }: Quirks,
): readonly Call[] {
  if (rangeField !== "start") return calls;
  const firstFrom = (instant: number) => {
    let [low, high] = [0, calls.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((calls[middle] as Call).startAt < instant) low = middle + 1;
      else high = middle;
    }
    return low;
  };
  return calls.slice(firstFrom(startTime), firstFrom(endTime + 1000));
}

function matchesFilters(call: Call, params: ListParams, quirks: Quirks): boolean {
  if (params.taskIds.length > 0 && (call.taskId === null || !params.taskIds.includes(call.taskId))) return false;
  if (params.direction !== null && call.direction !== params.direction) return false;
  if (params.description !== null && call.kind !== params.description) return false;
  if (params.assistantIds.length > 0 && !call.assistants.some(({ id }) => params.assistantIds.includes(id)))
    return false;
  const { phone } = params;
  if (phone === null) return true;
  return quirks.phoneMatch === "exact"
    ? call.caller === phone || call.callee === phone
    : call.caller.includes(phone) || call.callee.includes(phone);
}

/** Compares whole seconds: a query has no milliseconds. */
function isInRange(call: Call, { startTime, endTime }: ListParams, { rangeField, rangeEnds }: Quirks): boolean {
  const instant = { start: call.startAt, answer: call.answerAt, end: call.endAt, create: call.createdAt }[rangeField];
  if (instant === null) return false;
  const second = Math.floor(instant / 1000) * 1000;
  if (second < startTime || second > endTime) return false;
  const startCounts = rangeEnds === "inclusive" || rangeEnds === "endExclusive";
  const endCounts = rangeEnds === "inclusive" || rangeEnds === "startExclusive";
  return (second !== startTime || startCounts) && (second !== endTime || endCounts);
}

function sortCalls(calls: readonly Call[], { order }: Quirks): Call[] {
  if (order === "oldest") return [...calls];
  if (order === "newestEnd")
    return calls.toReversed().toSorted((a, b) => (b.endAt ?? STILL_GOING) - (a.endAt ?? STILL_GOING));
  if (order === "byId") return calls.toSorted((a, b) => (a.sessionId < b.sessionId ? -1 : 1));
  if (order === "shuffled") return calls.toSorted((a, b) => hash(a.sessionId) - hash(b.sessionId));
  return calls.toReversed();
}

export interface ListParams {
  /** Empty: no filter. */
  taskIds: bigint[];
  /** Epoch ms of whole seconds. */
  startTime: number;
  endTime: number;
  direction: Direction | null;
  phone: string | null;
  pageIndex: number;
  pageSize: number;
  assistantIds: bigint[];
  description: CallKind | null;
}

export type Query = Map<string, string[]>;

const MAX_TASKS = 10;
const MAX_PAGE_SIZE = 100;
const SINGLE_PARAMS = ["taskId", "startTime", "endTime", "direction", "phone", "pageIndex", "pageSize", "description"];
const LIST_PARAMS = ["assistantIds", "assistantIds[]"];

/** Decodes names and values like a form: `%20` and `+` are both a space. Throws an HttpError (400) for a broken `%`. */
export function parseQuery(query: string): Query {
  const found: Query = new Map();
  for (const pair of query.split("&").filter((part) => part !== "")) {
    const [name = "", ...value] = pair.split("=");
    const key = decode(name);
    found.set(key, [...(found.get(key) ?? []), decode(value.join("="))]);
  }
  return found;
}

export function refuseQuery(query: Query): void {
  const [name] = query.keys();
  if (name !== undefined) throw new HttpError(400, `unknown query parameter ${name}`);
}

export function readListParams(query: Query, context: { now: number; timeZone: string; quirks: Quirks }): ListParams {
  for (const name of context.quirks.ignoredParameters) query.delete(name);
  for (const [name, values] of query) {
    if (!SINGLE_PARAMS.includes(name) && !LIST_PARAMS.includes(name))
      throw new HttpError(400, `unknown query parameter ${name}`);
    if (SINGLE_PARAMS.includes(name) && values.length > 1) throw new HttpError(400, `${name} is given more than once`);
  }
  const single = (name: string) => query.get(name)?.[0];
  const today = dayOf(context.now, context.timeZone);
  const taskIds = parseIds("taskId", single("taskId")?.split(",") ?? []);
  if (taskIds.length > MAX_TASKS) throw new HttpError(400, `taskId must have at most ${MAX_TASKS} ids`);
  const phone = single("phone");
  if (phone === "") throw new HttpError(400, "phone must not be empty");
  return {
    taskIds,
    startTime: parseTimeParam("startTime", single("startTime"), context.timeZone) ?? today.start,
    endTime: parseTimeParam("endTime", single("endTime"), context.timeZone) ?? today.end,
    direction: parseEnum("direction", single("direction"), ["inbound", "outbound"]),
    phone: phone ?? null,
    pageIndex: parseInteger("pageIndex", single("pageIndex"), 1, Number.MAX_SAFE_INTEGER),
    pageSize: parseInteger("pageSize", single("pageSize"), 10, MAX_PAGE_SIZE),
    assistantIds: parseIds("assistantIds", assistantValues(query, context.quirks)),
    description: parseEnum("description", single("description"), ["phone", "privateTest"]),
  };
}

/** service.md does not show how a list is encoded: accepts three encodings, or only the one that the quirk demands. */
function assistantValues(query: Query, quirks: Quirks): string[] {
  const { assistantIdsEncoding: encoding, foreignEncoding } = quirks;
  const plain = query.get("assistantIds") ?? [];
  const brackets = query.get("assistantIds[]") ?? [];
  const used = new Set<string>();
  if (brackets.length > 0) used.add("brackets");
  if (plain.length > 1) used.add("repeat");
  if (plain.some((value) => value.includes(","))) used.add("comma");
  const isForeign = encoding !== "any" && [...used].some((each) => each !== encoding);
  // A single plain id looks the same in `comma` and `repeat`; only `brackets` differs.
  if (isForeign || (encoding === "brackets" && plain.length > 0)) {
    if (foreignEncoding === "ignored") return [];
    if (foreignEncoding === "nothing") return [NO_ASSISTANT];
    if (foreignEncoding === "first")
      return [...plain, ...brackets].slice(0, 1).flatMap((value) => value.split(",")[0] ?? []);
    throw new HttpError(400, `assistantIds must be encoded as ${encoding}`);
  }
  return [...plain, ...brackets].flatMap((value) => value.split(","));
}

/** No assistant has it. */
const NO_ASSISTANT = "0";

function parseIds(name: string, values: readonly string[]): bigint[] {
  return values.map((value) => {
    if (!/^\d{1,19}$/.test(value)) throw new HttpError(400, `${name} must be a list of integers`);
    return BigInt(value);
  });
}

function parseTimeParam(name: string, text: string | undefined, timeZone: string): number | null {
  if (text === undefined) return null;
  const instant = parseWall(text, timeZone);
  if (instant === null) throw new HttpError(400, `${name} must have the format YYYY-MM-DD hh:mm:ss`);
  return instant;
}

function parseInteger(name: string, text: string | undefined, defaultValue: number, max: number): number {
  if (text === undefined) return defaultValue;
  const value = /^\d{1,16}$/.test(text) ? Number(text) : 0;
  if (value < 1 || value > max) throw new HttpError(400, `${name} must be an integer from 1 to ${max}`);
  return value;
}

function parseEnum<T extends string>(name: string, text: string | undefined, allowed: readonly T[]): T | null {
  if (text === undefined) return null;
  const found = allowed.find((each) => each === text);
  if (!found) throw new HttpError(400, `${name} must be one of ${allowed.join(", ")}`);
  return found;
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text.replaceAll("+", " "));
  } catch {
    throw new HttpError(400, "the query is not properly percent-encoded");
  }
}
