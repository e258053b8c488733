// Kinds `folder` and `bucket`: the events of an hour as the graph shows them, in files.
import { fileURLToPath } from "node:url";
import type { Attempt, EventReference, HourAttempt, HourDeliverer, MissingEvent, RefusedEvent } from "../deliverer.ts";
import { paceOf } from "../deliveryRun.ts";
import { abortedBy, type Semaphore } from "../../util/semaphore.ts";
import { EVENT_TYPE, type ReadEvent } from "../eventDeliverer.ts";
import { createBucketTarget, type BucketTargetOptions } from "./bucketTarget.ts";
import { attemptOf, type FilesDestination, type FileTarget } from "./fileTarget.ts";
import { createFolderTarget } from "./folderTarget.ts";
import { createHourParts, type Line } from "./hourParts.ts";
import { createPlaceWork } from "./placeWork.ts";

export interface HourDelivererDeps {
  readEvent: ReadEvent;
  target: FileTarget;
  /** How often people were erased from the log so far. Throws STORE_UNAVAILABLE. */
  erasures: () => Promise<number>;
  /** One permit for each part that is being made. All destinations that get files share them, because most write at the end of the same hour. */
  turns: Semaphore;
  /** Characters of lines, uncompressed. What is more is in a further part. */
  maxSize?: number;
  /** After so long a part is written as it is, if another destination waits for its turn. */
  maxTurnMs?: number;
  /** To write what was read, with all that is there already. */
  maxWriteMs?: number;
}

/**
 * A part takes up to 300 MiB: its lines, their text and bytes, and a part that is there already. Two, so that a place that does not answer holds up
 * the others by half alone.
 */
export const FILE_TURNS = 2;

const MAX_SIZE = 16 * 1024 * 1024;
const MAX_TURN_MS = 30_000;
const MAX_WRITE_MS = 300_000;
const MAX_TEST_MS = 60_000;

export function createHourDeliverer(
  destination: FilesDestination,
  {
    readEvent,
    target,
    erasures,
    turns,
    maxSize = MAX_SIZE,
    maxTurnMs = MAX_TURN_MS,
    maxWriteMs = MAX_WRITE_MS,
  }: HourDelivererDeps,
): HourDeliverer {
  const parts = createHourParts(target);
  const pace = paceOf(destination);
  const place = createPlaceWork(maxWriteMs);
  const tests = createPlaceWork(MAX_TEST_MS);
  const isHeld = (refused: readonly RefusedEvent[]) => isStrict && refused.length > 0;
  const isStrict = destination.order === "strict";
  const atOnce = isStrict ? 1 : destination.maxInFlight;

  /** Null: nothing is left of it. */
  async function read(event: EventReference, signal: AbortSignal): Promise<Line | null | Refusal> {
    const shown = await readEvent(event, destination, signal);
    if ("problem" in shown) {
      const { problem: text, retryAfterMs } = shown;
      return { outcome: "failed", status: null, text, retryAfterMs, isOwn: true };
    }
    const { id, data, errors } = shown;
    const line = { id, type: EVENT_TYPE, timestamp: event.receivedAt, data, errors };
    return data === null ? null : { id, text: JSON.stringify(line) };
  }
  /** Reads and writes as many events as one part holds. */
  async function handSome(hour: string, events: readonly EventReference[], signal: AbortSignal) {
    const lines = new Map<EventReference, Line>();
    const [missing, refused]: [MissingEvent[], RefusedEvent[]] = [[], []];
    let size = 0;
    function note(event: EventReference, line: Line | null | Refusal): void {
      lines.delete(event);
      if (line === null) missing.push({ event, why: null });
      else if ("outcome" in line) refused.push({ event, made: line });
      else lines.set(event, line);
    }
    async function readSome(some: readonly EventReference[]): Promise<void> {
      const found = await Promise.all(some.map(async (event) => [event, await read(event, signal)] as const));
      for (const [event, line] of found) note(event, line);
    }
    const since = performance.now();
    let isPaced = true;
    const isOverdue = () => turns.waiting() > 0 && performance.now() - since >= maxTurnMs;
    let erased = await erasures();
    let at = 0;
    while (at < events.length && size < maxSize && !isHeld(refused)) {
      const some: EventReference[] = [];
      for (const event of events.slice(at, at + atOnce)) {
        // The first one was paced before the turn, so that each turn gets further.
        if (!isPaced && isOverdue()) break;
        if (!isPaced) await pace(signal);
        isPaced = false;
        some.push(event);
      }
      if (some.length === 0) break;
      at += some.length;
      await readSome(some);
      for (const event of some) size += lines.get(event)?.text.length ?? 0;
    }
    // An erasure reaches what was read before it.
    for (let now = await erasures(); now !== erased; now = await erasures()) {
      erased = now;
      const known = [...lines.keys()];
      for (let from = 0; from < known.length; from += atOnce) await readSome(known.slice(from, from + atOnce));
    }
    await place.run((own) => parts.write(hour, [...lines.values()], own), signal);
    return { missing, refused, left: events.slice(at) };
  }
  async function inTurn<T>(work: () => Promise<T>, signal: AbortSignal): Promise<T> {
    signal.throwIfAborted();
    place.checkFree();
    await turns.acquire(abortedBy(signal));
    try {
      return await work();
    } finally {
      turns.release();
    }
  }
  async function hand(hour: string, events: readonly EventReference[], signal: AbortSignal): Promise<HourAttempt> {
    const [missing, refused]: [MissingEvent[], RefusedEvent[]] = [[], []];
    let left = events;
    while (left.length > 0 && !isHeld(refused)) {
      const some = left;
      await pace(signal);
      const made = await inTurn(() => handSome(hour, some, signal), signal);
      missing.push(...made.missing);
      refused.push(...made.refused);
      left = made.left;
    }
    return { outcome: "taken", missing, refused, left };
  }
  const refusalOf = (error: unknown, signal: AbortSignal): Refusal => {
    signal.throwIfAborted();
    return attemptOf(error);
  };
  return {
    deliverHour: (hour, events, signal) =>
      hand(hour, events, signal).catch((error: unknown) => refusalOf(error, signal)),
    test: (signal) =>
      tests.run(target.test, signal).then(
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
