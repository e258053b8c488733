// Faults on request: rules that say which requests fail, how, and how often. The first matching rule decides.
import { z } from "zod";

const common = {
  /** Which requests: all conditions must hold. No condition: every request. */
  match: z
    .strictObject({
      method: z.string().optional(),
      /** A prefix of the path, such as /openapi or /recordings. */
      path: z.string().startsWith("/").optional(),
      /** A part of the undecoded query string. */
      query: z.string().optional(),
    })
    .default({}),
  /** The rule is removed after this many requests. Absent: it stays until it is removed. */
  times: z.int().min(1).optional(),
};
const headers = z.record(z.string(), z.string()).default({});
/** Whether the request takes effect before it fails. With `true`, a task is created and the answer is lost. */
const processed = (defaultValue: boolean) => z.boolean().default(defaultValue);
const ms = z.number().min(0).max(600_000);

export const faultSchema = z.discriminatedUnion("kind", [
  /** Waits real milliseconds, then applies the next matching rule, if any. */
  z.strictObject({ ...common, kind: z.literal("latency"), ms }),
  z.strictObject({
    ...common,
    kind: z.literal("status"),
    status: z.int().min(200).max(599),
    /** Seconds, for 429 and 503. */
    retryAfter: z.int().min(0).optional(),
    /** For 3xx. */
    location: z.string().optional(),
    headers,
    body: z.string().optional(),
    processed: processed(false),
  }),
  /** Never answers. */
  z.strictObject({ ...common, kind: z.literal("hang"), processed: processed(false) }),
  /** Destroys the connection. */
  z.strictObject({ ...common, kind: z.literal("reset"), processed: processed(false) }),
  /** Announces the whole body, sends `bytes` of it (default: half), and destroys the connection. */
  z.strictObject({ ...common, kind: z.literal("truncate"), bytes: z.int().min(0).optional() }),
  /** 200 with an unexpected body. */
  z.strictObject({
    ...common,
    kind: z.literal("malformed"),
    as: z.enum(["notJson", "html", "null", "envelope", "contentType"]),
    processed: processed(true),
  }),
  z.strictObject({
    ...common,
    kind: z.literal("replace"),
    status: z.int().min(200).max(599).default(200),
    headers,
    body: z.string(),
    processed: processed(true),
  }),
]);

export type FaultInput = z.input<typeof faultSchema>;
export type Fault = z.infer<typeof faultSchema>;
export type ResponseFault = Exclude<Fault, { kind: "latency" }>;
export interface ListedFault {
  id: string;
  fault: Fault;
}

export interface Faults {
  add(fault: Fault): string;
  list(): ListedFault[];
  clear(id?: string): void;
  /** Finds the delay and the fault for a request, and counts it against the rules' `times`. */
  consume(request: { method: string; path: string; query: string }): { delayMs: number; fault: ResponseFault | null };
}

export function createFaults(): Faults {
  let rules: { id: string; fault: Fault; left: number }[] = [];
  let count = 0;

  const use = (rule: (typeof rules)[number]) => {
    rule.left -= 1;
    if (rule.left <= 0) rules = rules.filter((each) => each !== rule);
  };
  return {
    add: (fault) => {
      count += 1;
      rules.push({ id: `fault-${count}`, fault, left: fault.times ?? Number.POSITIVE_INFINITY });
      return `fault-${count}`;
    },
    list: () =>
      rules.map(({ id, fault, left }) => ({
        id,
        fault: fault.times === undefined ? fault : { ...fault, times: left },
      })),
    clear: (id) => void (rules = id === undefined ? [] : rules.filter((rule) => rule.id !== id)),
    consume: (request) => {
      let delayMs = 0;
      for (const rule of rules.filter((each) => matchesRequest(each.fault, request))) {
        use(rule);
        if (rule.fault.kind !== "latency") return { delayMs, fault: rule.fault };
        delayMs += rule.fault.ms;
      }
      return { delayMs, fault: null };
    },
  };
}

function matchesRequest({ match }: Fault, request: { method: string; path: string; query: string }): boolean {
  if (match.method !== undefined && match.method.toUpperCase() !== request.method) return false;
  if (match.path !== undefined && !request.path.startsWith(match.path)) return false;
  return match.query === undefined || request.query.includes(match.query);
}
