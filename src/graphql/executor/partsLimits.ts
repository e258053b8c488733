// The limits of an answer in parts. They hold for all parts together.
import type { ExecutionResult } from "graphql";
import { CodedError } from "../../errors.ts";
import type { Part } from "./partWriter.ts";
import { jsonSize, RESULT_LIMITS } from "./resultSize.ts";
import { isOverLimit, MAX_BYTES_PER_UNIT, type Run } from "./runCompiled.ts";

export const PARTS_LIMITS = {
  /** Fields of all parts together. */
  fields: 100_000,
  /** Deferred fragments and streamed lists that a client waits for at once. */
  pending: 5000,
  /** From the begin of the execution to the last part. Each request to the service has a shorter time of its own. */
  milliseconds: 120_000,
} as const;

export type PartsLimits = ReturnType<typeof createPartsLimits>;

/** For one answer. */
export function createPartsLimits() {
  let fields = 0;
  let errors = 0;
  let bytes = 0;
  let units = 0;
  /** Parts whose exact size is not known. They may hold MAX_BYTES_PER_UNIT bytes for each unit. */
  let unmeasured: ExecutionResult[] = [];
  let excess: Error | null = null;

  const exceed = (rule: string) => void (excess ??= tooComplex(rule));

  function measure(part: ExecutionResult): void {
    unmeasured.push(part);
    if (errors === 0 && units * MAX_BYTES_PER_UNIT <= RESULT_LIMITS.bytes) return;
    for (const each of unmeasured) bytes += jsonSize(each, RESULT_LIMITS.bytes);
    unmeasured = [];
    if (bytes > RESULT_LIMITS.bytes) exceed(TOO_LARGE);
  }

  return {
    /** The first limit that was exceeded. */
    excess: () => excess,
    /** Returns false if there were too many. */
    addFields(count: number): boolean {
      fields += count;
      if (fields > PARTS_LIMITS.fields) exceed(`An answer in parts has at most ${PARTS_LIMITS.fields} fields`);
      return excess === null;
    },
    /** A run that has ended. */
    addRun(run: Run): void {
      units += run.minUnits;
      if (isOverLimit(run)) exceed(run.errors.length > RESULT_LIMITS.fieldErrors ? TOO_MANY_ERRORS : TOO_LARGE);
    },
    setPending(count: number): void {
      if (count > PARTS_LIMITS.pending)
        exceed(`More than ${PARTS_LIMITS.pending} parts of the answer would be pending`);
    },
    /** A part as it is sent. Its runs were added before. */
    addPart(part: Part): void {
      const { pending = [], incremental = [], completed = [] } = part;
      for (const holders of [[part], incremental, completed]) {
        for (const { errors: failed } of holders) errors += failed?.length ?? 0;
      }
      units += PART_UNITS + ENTRY_UNITS * (pending.length + incremental.length + completed.length);
      for (const { path, label } of pending) units += unitsOf(path) + (label?.length ?? 0);
      for (const { subPath } of incremental) if (subPath) units += unitsOf(subPath);
      measure(part);
      if (errors > RESULT_LIMITS.fieldErrors) exceed(TOO_MANY_ERRORS);
    },
  };
}

const TOO_LARGE = `All parts of the answer are larger than ${RESULT_LIMITS.bytes / 1024 / 1024} MiB`;
const TOO_MANY_ERRORS = `More than ${RESULT_LIMITS.fieldErrors} fields failed`;
/** What surrounds a part and its costs, and what surrounds each entry, in units of MAX_BYTES_PER_UNIT bytes. */
const PART_UNITS = 64;
const ENTRY_UNITS = 4;

function unitsOf(path: readonly (string | number)[]): number {
  let units = 0;
  for (const key of path) units += typeof key === "string" ? key.length : 1;
  return units;
}

export const tooLate = () =>
  new CodedError(
    "UPSTREAM_TIMEOUT",
    `An answer in parts ends after ${PARTS_LIMITS.milliseconds / 1000} seconds: select fewer fields, or fewer items.`,
  );

const tooComplex = (rule: string) =>
  new CodedError("QUERY_TOO_COMPLEX", `${rule}: select fewer fields, or fewer items.`);
