// The never-call list: numbers that no task of this gateway may call. It finds a number in every usual spelling, with and without
// its country code; two countries with the same national number share an entry.
import { randomUUID } from "node:crypto";
import { instantOf } from "../format/instant.ts";
import { noKeyMessage, enteredPhoneKeys, possiblePhoneKeys } from "../format/phoneKeys.ts";
import type { Read } from "../store/scheduling/viewerReads.ts";
import { createQueryOwner } from "../store/scheduling/queryOwner.ts";
import { chunksOf } from "../store/sqlHelpers.ts";
import type { DoNotCallStore } from "../store/tasks/doNotCallStore.ts";
import type { InputError } from "./validateCreateTask.ts";
import type { Steps, TimeSlices } from "../util/timeSlices.ts";

export interface DoNotCallChange {
  /** How many entries were added or removed. The others were in the list already, or were not in it. */
  changed: number;
  /** The places of texts that are not phone numbers. */
  unreadable: number[];
  /** Why, in the same order. No reason contains the text. */
  reasons: string[];
}

/**
 * Every method throws STORE_UNAVAILABLE if the database fails. `viewer`: the name of the viewer that asks. Its numbers are read in
 * its slices of the event loop, and looked up in its turns of the database.
 */
export interface DoNotCallList {
  add(numbers: readonly string[], viewer: string): Promise<DoNotCallChange>;
  remove(numbers: readonly string[], viewer: string): Promise<DoNotCallChange>;
  count(): Promise<number>;
  /** Returns the places of the numbers that are in the list, in order. Throws RATE_LIMITED if too many reads of the viewer wait. */
  find(numbers: readonly string[], viewer: string): Promise<number[]>;
}

export interface DoNotCallDeps {
  store: DoNotCallStore;
  queuedRead: Read;
  slices: Pick<TimeSlices, "run">;
  /** Epoch milliseconds. */
  clock: () => number;
}

export function createDoNotCallList({ store, queuedRead, slices, clock }: DoNotCallDeps): DoNotCallList {
  async function change(kind: "add" | "remove", numbers: readonly string[], viewer: string): Promise<DoNotCallChange> {
    const { digests, unreadable } = await slices.run(viewer, readDigests(numbers, enteredPhoneKeys, store));
    const by = { actor: viewer, at: instantOf(clock()) };
    const changed = digests.size === 0 ? 0 : await store[kind]([...digests.keys()], by);
    return { changed, unreadable, reasons: unreadable.map((at) => noKeyMessage(numbers[at] ?? "")) };
  }
  /** Finds the digests that are in the list, with one short read of the database for each part of them. */
  async function findListed(digests: readonly number[], viewer: string): Promise<number[]> {
    const owner = createQueryOwner(viewer);
    const listed: number[] = [];
    for (const part of chunksOf(digests)) {
      listed.push(...(await queuedRead(owner, ["do not call", randomUUID()], () => store.find(part))));
    }
    return listed;
  }
  return {
    add: (numbers, viewer) => change("add", numbers, viewer),
    remove: (numbers, viewer) => change("remove", numbers, viewer),
    count: () => store.count(),
    async find(numbers, viewer) {
      if (!(await queuedRead(createQueryOwner(viewer), ["do not call: any"], store.hasAny))) return [];
      const { digests } = await slices.run(viewer, readDigests(numbers, possiblePhoneKeys, store));
      const listed = await findListed([...digests.keys()], viewer);
      const places = new Set(listed.flatMap((digest) => digests.get(digest) ?? []));
      return [...places].toSorted((a, b) => a - b);
    },
  };
}

/** One number a step. `digests`: the places of the numbers that have each digest. */
function* readDigests(
  numbers: readonly string[],
  keysOf: (number: string) => string[],
  { digestOf }: Pick<DoNotCallStore, "digestOf">,
): Steps<{ digests: Map<number, number[]>; unreadable: number[] }> {
  const digests = new Map<number, number[]>();
  const unreadable: number[] = [];
  for (const [at, number] of numbers.entries()) {
    const keys = keysOf(number);
    if (keys.length === 0) unreadable.push(at);
    for (const key of keys) digests.getOrInsertComputed(digestOf(key), () => []).push(at);
    yield;
  }
  return { digests, unreadable };
}

/** One error for each number of the list, at most MAX_LISTED_ERRORS. `places`: in order. */
export function listedErrors(places: ReadonlySet<number>): InputError[] {
  const named = [...places].slice(0, MAX_LISTED_ERRORS);
  const errors = named.map((at) => ({ message: "is in the never-call list", path: ["numbers", String(at), "number"] }));
  if (places.size <= MAX_LISTED_ERRORS) return errors;
  const message = `has ${places.size} numbers of the never-call list; only the first ${MAX_LISTED_ERRORS} are named`;
  return [...errors, { message, path: ["numbers"] }];
}

const MAX_LISTED_ERRORS = 100;
