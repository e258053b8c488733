// How many people of a task have a number with which country code.
import { splitCountryCode } from "../../format/countryCode.ts";
import { readPhone } from "../../format/readPhone.ts";
import type { Steps } from "../../util/timeSlices.ts";

export interface CountryCount {
  /** Its digits. Null: the number does not say it, because it begins with neither + nor 00. */
  countryCode: string | null;
  people: number;
}

/** One number per step. The most people come first, and those without a country code last. */
export function* countByCountry(numbers: readonly { number: string }[]): Steps<CountryCount[]> {
  const counts = new Map<string | null, number>();
  for (const { number } of numbers) {
    const code = countryCodeOf(number);
    counts.set(code, (counts.get(code) ?? 0) + 1);
    yield;
  }
  const all = [...counts].map(([countryCode, people]) => ({ countryCode, people }));
  const rank = ({ countryCode, people }: CountryCount): number => (countryCode === null ? -1 : people);
  return all.toSorted((one, other) => rank(other) - rank(one) || Number(one.countryCode) - Number(other.countryCode));
}

function countryCodeOf(text: string): string | null {
  const reading = readPhone(text);
  if (reading.kind !== "number" || !reading.number.startsWith("+")) return null;
  return splitCountryCode(reading.number.slice(1))?.code ?? null;
}
