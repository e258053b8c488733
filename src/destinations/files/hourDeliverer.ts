// Kinds `folder` and `bucket`: the events of an hour as the graph shows them, in files.
import { fileURLToPath } from "node:url";
import type { Attempt, EventReference, HourDeliverer, MissingEvent } from "../deliverer.ts";
import { paceOf } from "../deliveryRun.ts";
import { EVENT_TYPE, type ReadEvent } from "../eventDeliverer.ts";
import { createBucketTarget, type BucketTargetOptions } from "./bucketTarget.ts";
import { attemptOf, type FilesDestination, type FileTarget } from "./fileTarget.ts";
import { createFolderTarget } from "./folderTarget.ts";
import { createHourParts } from "./hourParts.ts";

export interface HourDelivererDeps {
  readEvent: ReadEvent;
  target: FileTarget;
  /** Characters of lines, uncompressed. What is more is in a further part. */
  maxSize?: number;
}

const MAX_SIZE = 32 * 1024 * 1024;

export function createHourDeliverer(
  destination: FilesDestination,
  { readEvent, target, maxSize = MAX_SIZE }: HourDelivererDeps,
): HourDeliverer {
  const parts = createHourParts(target);
  const pace = paceOf(destination);
  const atOnce = destination.order === "strict" ? 1 : destination.maxInFlight;

  /** Null: nothing is left of it. */
  async function read(event: EventReference, signal: AbortSignal): Promise<string | null | Refusal> {
    await pace(signal);
    const shown = await readEvent(event, destination, signal);
    if ("problem" in shown) {
      const { problem: text, retryAfterMs } = shown;
      return { outcome: "failed", status: null, text, retryAfterMs, isOwn: true };
    }
    const { id, data, errors } = shown;
    return data === null ? null : JSON.stringify({ id, type: EVENT_TYPE, timestamp: event.receivedAt, data, errors });
  }
  async function hand(
    hour: string,
    events: readonly EventReference[],
    signal: AbortSignal,
  ): Promise<Refusal | { outcome: "taken"; missing: readonly MissingEvent[] }> {
    const missing: MissingEvent[] = [];
    let [lines, size]: [string[], number] = [[], 0];
    for (let at = 0; at < events.length; at += atOnce) {
      const some = events.slice(at, at + atOnce);
      const found = await Promise.all(some.map(async (event) => ({ event, line: await read(event, signal) })));
      for (const { event, line } of found) {
        if (line !== null && typeof line !== "string") return line;
        if (line === null) missing.push({ event, why: null });
        else lines.push(line);
        size += line?.length ?? 0;
      }
      if (size < maxSize) continue;
      await parts.write(hour, lines, signal);
      [lines, size] = [[], 0];
    }
    await parts.write(hour, lines, signal);
    return { outcome: "taken", missing };
  }
  const refusalOf = (error: unknown, signal: AbortSignal): Refusal => {
    signal.throwIfAborted();
    return attemptOf(error);
  };
  return {
    deliverHour: (hour, events, signal) =>
      hand(hour, events, signal).catch((error: unknown) => refusalOf(error, signal)),
    test: (signal) =>
      target.test(signal).then(
        (): Attempt => ({ outcome: "taken", status: null }),
        (error: unknown) => refusalOf(error, signal),
      ),
    [Symbol.asyncDispose]: () => target[Symbol.asyncDispose](),
  };
}

type Refusal = Extract<Attempt, { outcome: "failed" }>;

export function openTarget(destination: FilesDestination, options: BucketTargetOptions): FileTarget {
  return destination.kind === "folder"
    ? createFolderTarget(fileURLToPath(destination.url))
    : createBucketTarget(destination, options);
}
