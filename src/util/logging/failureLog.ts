// Writes failures that an outage, a client or the service may repeat thousands of times a second. The first of a kind is written at
// once, with its stack. The following ones are counted, and the counts are written once a minute.
import { errorMessage } from "./errorMessage.ts";
import { createLogAggregator } from "../logAggregator.ts";
import { withoutLogContext } from "../logContext.ts";

type Fields = Readonly<Record<string, unknown>>;

export interface FailureLog extends Disposable {
  /** `fields` have the cause as `err`, or as the text `reason`. Those of a failure that is only counted are not written. */
  add(fields: Fields): void;
}

export interface FailureWriters {
  /** Writes a line with the stack of `err`. */
  write(fields: Fields): void;
  /** Writes a line without that stack, which was written before. */
  writeShort(fields: Fields): void;
}

const INTERVAL_MS = 60_000;
/** A kind that did not occur for this time is written with its stack again. */
const FORGET_MS = 600_000;
/** Messages may hold what varies, such as a time: their number is limited. */
const MAX_KINDS = 20;
const MAX_KIND_LENGTH = 200;
/** A client gets the ID of its request, and looks for it in the log: such failures are written, up to this number a minute. */
const MAX_WITH_ID = 600;

/** For failures that have the same message. Disposing it writes the counts that are left. */
export function createFailureLog({ write, writeShort }: FailureWriters): FailureLog {
  const lastSeen = new Map<string, number>();
  // The counts are of many requests.
  const report = (failures: Record<string, number>) => withoutLogContext(() => write({ failures }));
  const aggregator = createLogAggregator(report, { intervalMs: INTERVAL_MS, reportsFirstAtOnce: false });
  let withId = { count: 0, since: -Infinity };

  /** True for a kind that was not seen lately. */
  function remember(kind: string): boolean {
    const now = performance.now();
    for (const [each, at] of lastSeen) if (now - at > FORGET_MS) lastSeen.delete(each);
    const isNew = !lastSeen.has(kind);
    lastSeen.set(kind, now);
    return isNew;
  }
  function mayWriteId(): boolean {
    const now = performance.now();
    if (now - withId.since > INTERVAL_MS) withId = { count: 0, since: now };
    withId.count += 1;
    return withId.count <= MAX_WITH_ID;
  }
  return {
    add(fields) {
      const name = kindOf(fields);
      const kind = lastSeen.has(name) || lastSeen.size < MAX_KINDS ? name : "others";
      if (remember(kind)) write(fields);
      else if ("requestId" in fields && mayWriteId()) writeShort(fields);
      else aggregator.add(kind);
    },
    [Symbol.dispose]: () => aggregator[Symbol.dispose](),
  };
}

/** The reason, or the code or name of the error and its message. */
function kindOf({ err, reason }: Fields): string {
  if (typeof reason === "string") return reason.slice(0, MAX_KIND_LENGTH);
  if (!(err instanceof Error)) return typeof err;
  const { code, name } = err as NodeJS.ErrnoException;
  return `${code ?? name}: ${errorMessage(err)}`.slice(0, MAX_KIND_LENGTH);
}
