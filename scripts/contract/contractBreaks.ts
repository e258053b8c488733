// Compares what two versions of the gateway promise outside of the graph.
import type { Break } from "./changelog.ts";

/** One promise, such as a variable: what users rely on besides its name. */
export interface Promised {
  /** A variable's default. */
  default?: string;
  /** The lowest and the highest number that a variable accepts. */
  min?: number;
  max?: number;
  /** The words that a variable accepts. */
  values?: readonly string[];
  /** A metric's type. */
  type?: string;
  /** A metric's labels, sorted. */
  labels?: readonly string[];
  /** Whether clients may repeat a request that got this error. Absent: the error does not say. */
  retryable?: boolean;
  code?: number;
}

/** The promises of each kind, by name. */
export interface Contract {
  /** The release that makes them. */
  version: string;
  variables: Record<string, Promised>;
  metrics: Record<string, Promised>;
  errorCodes: Record<string, Promised>;
  exitCodes: Record<string, Promised>;
  addresses: Record<string, Promised>;
  scopes: Record<string, Promised>;
}

const words = {
  variables: "The variable",
  metrics: "The metric",
  errorCodes: "The error code",
  exitCodes: "The exit code of",
  addresses: "The address",
  scopes: "The scope",
} satisfies Record<Exclude<keyof Contract, "version">, string>;
type Kind = keyof typeof words;

/** More promises, and wider ones, break nothing. */
export function findContractBreaks(released: Contract, current: Contract): Break[] {
  return (Object.keys(words) as Kind[]).flatMap((kind) =>
    Object.entries(released[kind]).flatMap(([name, before]) => {
      const now = current[kind][name];
      if (!now) return [{ name, change: `${words[kind]} ${name} was removed` }];
      return changedFacts(before, now).map((fact) => ({
        name,
        change: `${words[kind]} ${name} changed its ${fact} from ${show(before[fact])} to ${show(now[fact])}`,
      }));
    }),
  );
}

const show = (fact: unknown) => (fact === undefined ? "none" : JSON.stringify(fact));

function changedFacts(before: Promised, now: Promised): (keyof Promised)[] {
  const facts = new Set([...Object.keys(before), ...Object.keys(now)]) as Set<keyof Promised>;
  return [...facts].filter((fact) => !isKept(fact, before, now));
}

function isKept(fact: keyof Promised, before: Promised, now: Promised): boolean {
  if (fact === "min") return (now.min ?? -Infinity) <= (before.min ?? -Infinity);
  if (fact === "max") return (now.max ?? Infinity) >= (before.max ?? Infinity);
  if (fact === "values") return now.values === undefined || (before.values?.every((value) => now.values?.includes(value)) ?? false);
  return JSON.stringify(before[fact]) === JSON.stringify(now[fact]);
}
