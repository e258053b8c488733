// Tells whether numbers belong to one person, so that nobody is called twice: in any usual writing, with and without the country code.
import type { PossibleNumber } from "./countryCode.ts";
import { possibleNumbers } from "./possibleNumbers.ts";
import type { LineLabel, PhoneNumber } from "./readPhone.ts";

/** Returns the place at which the person stands already; null: nowhere, and then it remembers this one. */
export type FindPerson = (reading: PhoneNumber | LineLabel, place: number) => number | null;

/** Two countries may have the same national number. Where one of two numbers does not say its country, they count as the same. */
export function createPeople(): FindPerson {
  const people = new Map<string, { code: string | null; place: number }[]>();
  return (reading, place) => {
    const own = possiblePeople(reading);
    for (const { code, key } of own) {
      const same = people.get(key)?.find((other) => code === null || other.code === null || code === other.code);
      if (same) return same.place;
    }
    for (const { code, key } of own) people.getOrInsertComputed(key, () => []).push({ code, place });
    return null;
  };
}

/**
 * By which a number's person is known: two numbers with a common `key` belong to one person, unless both state a code and these differ. An
 * extension leads to another person, but not of a mobile number.
 */
export function possiblePeople(reading: PhoneNumber | LineLabel): { code: PossibleNumber["code"]; key: string }[] {
  if (reading.kind === "label") return [{ code: null, key: `label ${reading.dialled}` }];
  // 0801 may be 801, and nobody is called twice.
  const extension =
    reading.extension === null || isChineseMobile(reading) ? "" : reading.extension.replace(/^0+(?=\d)/, "");
  const numbers = [...new Set([reading.number, reading.dialled])].flatMap(possibleNumbers);
  return numbers.map(({ code, national }) => ({ code, key: `${national}x${extension}` }));
}

/** Without extensions, whatever stands behind it. 1 380 555 0101 may be an American number. */
const isChineseMobile = ({ number, sent }: PhoneNumber) =>
  /^(?:\+?86)?1[3-9]\d{9}$/.test(number) && !/^1[-. (]/.test(sent);
