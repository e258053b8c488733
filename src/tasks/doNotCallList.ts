// The never-call list: numbers that no task of this gateway may call. It finds a number in every usual spelling, with and without
// its country code; two countries with the same national number share an entry.
import { instantOf } from "../format/instant.ts";
import { searchedPhoneKeys, storedPhoneKey } from "../format/phoneKeys.ts";
import type { DoNotCallStore } from "../store/tasks/doNotCallStore.ts";
import type { InputError } from "./validateCreateTask.ts";
import type { Steps, TimeSlices } from "../util/timeSlices.ts";

export interface DoNotCallChange {
  /** How many entries were added or removed. The others were in the list already, or were not in it. */
  changed: number;
  /** The places of texts that are not phone numbers. */
  unreadable: number[];
}

/** Every method throws STORE_UNAVAILABLE if the database fails. `viewer`: the name of the viewer that asks. */
export interface DoNotCallList {
  add(numbers: readonly string[], viewer: string): Promise<DoNotCallChange>;
  remove(numbers: readonly string[], viewer: string): Promise<DoNotCallChange>;
  count(): Promise<number>;
  /** Returns the places of the numbers that are in the list, in order. */
  find(numbers: readonly string[], viewer: string): Promise<number[]>;
}

export interface DoNotCallDeps {
  store: DoNotCallStore;
  slices: Pick<TimeSlices, "run">;
  /** Epoch milliseconds. */
  clock: () => number;
}

export function createDoNotCallList({ store, slices, clock }: DoNotCallDeps): DoNotCallList {
  async function change(kind: "add" | "remove", numbers: readonly string[], viewer: string): Promise<DoNotCallChange> {
    const { keys, unreadable } = await slices.run(viewer, readKeys(numbers, keptKeys));
    const by = { actor: viewer, at: instantOf(clock()) };
    return { changed: keys.size === 0 ? 0 : await store[kind]([...keys.keys()], by), unreadable };
  }
  return {
    add: (numbers, viewer) => change("add", numbers, viewer),
    remove: (numbers, viewer) => change("remove", numbers, viewer),
    count: () => store.count(),
    async find(numbers, viewer) {
      if (!(await store.hasAny())) return [];
      const { keys } = await slices.run(viewer, readKeys(numbers, searchedPhoneKeys));
      const listed = await store.find([...keys.keys()]);
      const places = new Set([...listed].flatMap((key) => keys.get(key) ?? []));
      return [...places].toSorted((a, b) => a - b);
    },
  };
}

/** Only the number's own form, also to remove it: the other forms may be those of another person's number. */
function keptKeys(number: string): string[] {
  const key = storedPhoneKey(number);
  return key === null ? [] : [key];
}

/** One number a step. `keys`: the places of the numbers that have each key. */
function* readKeys(
  numbers: readonly string[],
  keysOf: (number: string) => string[],
): Steps<{ keys: Map<string, number[]>; unreadable: number[] }> {
  const keys = new Map<string, number[]>();
  const unreadable: number[] = [];
  for (const [at, number] of numbers.entries()) {
    const found = keysOf(number);
    if (found.length === 0) unreadable.push(at);
    for (const key of found) keys.set(key, [...(keys.get(key) ?? []), at]);
    yield;
  }
  return { keys, unreadable };
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
