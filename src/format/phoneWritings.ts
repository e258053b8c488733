// The writings of a number by which calls of one person are found. The service and the log hold a number as somebody wrote it: with or
// without country code, trunk zero and separators.
import { type PossibleNumber, countryCodes, otherForms, splitCountryCode } from "./countryCode.ts";
import { afterTrunkPrefix, trunkWritings } from "./possibleNumbers.ts";
import { MIN_NUMBER_DIGITS, readPhone, type PhoneNumber } from "./readPhone.ts";

/**
 * A phone number as the log keeps and compares it: without separators, extensions and labels. Other texts, such as the label of a
 * line, are returned as they are.
 */
export function comparedPhone(text: string): string {
  const reading = readPhone(text);
  return reading.kind === "number" ? reading.number : text;
}

/**
 * Every text by which `comparedPhone` may give the number: with its country code and without; where it has none, with every code.
 * 8 is the trunk prefix of the code 7. One text for the label of a line.
 */
export function comparedWritings(reading: PhoneNumber): string[] {
  const digits = digitsOf(reading);
  // Earlier versions kept a short number as it was written.
  if (digits.length < MIN_NUMBER_DIGITS) return [...new Set([reading.number, reading.sent])];
  const own = [...nationalNumbers(reading), ...afterTrunkPrefix(reading.number)];
  const numbers = [...own, ...own.flatMap(otherForms)];
  const known = numbers.flatMap(({ code, national }) => {
    const codes = code === null ? countryCodes : [code];
    return [
      national,
      `0${national}`,
      ...trunkWritings({ code, national }),
      ...(codes.includes("7") && national.length === 10 ? [`8${national}`] : []),
      ...codes.flatMap((each) => [`+${each}${national}`, each + national]),
      ...(code === null ? [] : [`+${code}0${national}`, `00${code}${national}`]),
    ];
  });
  // Earlier versions kept a number in letters as it was written.
  const inLetters = /[a-z]/i.test(reading.sent) ? [reading.sent] : [];
  return [...new Set([reading.number, ...inLetters, ...known])];
}

/** The most writings in which the service is asked for a number. */
export const MAX_ASKED_WRITINGS = 6;

/**
 * The writings in which a service may hold the number, for one that compares whole texts. The national number comes first, because
 * it is part of the others: a service that compares parts finds every writing by it.
 */
export function askedWritings(reading: PhoneNumber): string[] {
  const [trunk] = afterTrunkPrefix(reading.number);
  const [{ code, national }] = trunk ? [trunk] : nationalNumbers(reading);
  const isAbroad = code !== null && reading.number.startsWith("+");
  const texts = [
    national,
    reading.number,
    ...(code === null ? [] : [`+${code}${national}`, code + national]),
    ...(isAbroad && code !== "1" ? [`0${national}`] : []),
  ];
  return [...new Set(texts)];
}

/** A number without `+` has a country code if it is longer than national numbers are. Of 11 digits it may. */
function nationalNumbers(reading: PhoneNumber): [PossibleNumber, ...PossibleNumber[]] {
  const digits = digitsOf(reading);
  const known = splitCountryCode(digits);
  if (known && reading.number.startsWith("+")) return [known];
  const isTrunk = reading.number.startsWith("0");
  if (known && !isTrunk && digits.length >= 12) return [known];
  if (known && !isTrunk && /^\d{11}$/.test(digits)) return [{ code: null, national: digits }, known];
  return [{ code: null, national: digits }];
}

const digitsOf = ({ number }: PhoneNumber) => number.replace(/^\+?0*/, "");
