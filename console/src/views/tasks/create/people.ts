// Tells whether a table phones somebody twice: by the keys of the never-call list, with and without the country code.
import { searchedPhoneKeys, storedPhoneKey } from "../../../../../src/format/phoneKeys.ts";
import type { PhoneNumber } from "../../../../../src/format/readPhone.ts";

/** Returns the row that has the same person, or null and remembers this one. An extension leads to another person. */
export type FindRow = (written: string, reading: PhoneNumber, row: number) => number | null;

export function createPeople(): FindRow {
  const kept = new Map<string, { number: string; row: number }[]>();
  return (written, reading, row) => {
    const { number, dialled, extension } = reading;
    const keyed = (key: string) => `${key}x${extension ?? ""}`;
    const searched = searchedPhoneKeys(written);
    const others = (searched.length === 0 ? [dialled] : searched).flatMap((key) => kept.get(keyed(key)) ?? []);
    const same = others.find((other) => isSame(other.number, number));
    if (same) return same.row;
    const own = keyed(storedPhoneKey(written) ?? dialled);
    kept.set(own, [...(kept.get(own) ?? []), { number, row }]);
    return null;
  };
}

/** Two countries may have the same national number. Without a country code, it may be either. */
function isSame(one: string, other: string): boolean {
  return one === other || !one.startsWith("+") || !other.startsWith("+");
}
