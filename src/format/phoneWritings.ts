// The writings of a number by which calls of one person are found. The service and the log hold a number as somebody wrote it: with or
// without country code, trunk zero and separators.
import { type PossibleNumber, countryCodes, otherForms, splitCountryCode, usualNationalDigits } from "./countryCode.ts";
import { afterTrunkPrefix, dialledAbroad, trunkWritings } from "./possibleNumbers.ts";
import { MIN_NUMBER_DIGITS, readPhone, type PhoneNumber } from "./readPhone.ts";

/**
 * A phone number as the log keeps and compares it: without separators, extensions and labels. Other texts, such as the label of a
 * line, are returned as they are.
 */
export function comparedPhone(text: string): string {
  const reading = readPhone(text);
  return reading.kind === "number" ? reading.number : text;
}

/** Countries whose numbers begin with 0 also behind the country code: Italy, San Marino, Ivory Coast, Benin, Gabon, Congo. */
const ZERO_AFTER_CODE = ["39", "378", "225", "229", "241", "242"];

/**
 * Every text by which `comparedPhone` may give the number: with its country code and without; where it has none, with every code.
 * 8 is the trunk prefix of the code 7. One text for the label of a line.
 */
export function comparedWritings(reading: PhoneNumber): string[] {
  const digits = digitsOf(reading);
  // Earlier versions kept a short number as it was written.
  if (digits.length < MIN_NUMBER_DIGITS) return [...new Set([reading.number, reading.sent])];
  const own = [...nationalNumbers(reading), ...afterTrunkPrefix(reading.number), ...dialledAbroad(reading.number)];
  const numbers = [...own, ...own.flatMap(otherForms)];
  const known = numbers.flatMap(({ code, national }) => {
    const codes = code === null ? countryCodes : [code];
    return [
      national,
      `0${national}`,
      ...trunkWritings({ code, national }),
      ...(codes.includes("7") && national.length === 10 ? [`8${national}`] : []),
      ...codes.flatMap((each) => [`+${each}${national}`, each + national]),
      ...codes
        .filter((each) => each === code || ZERO_AFTER_CODE.includes(each))
        .flatMap((each) => [`+${each}0${national}`, `${each}0${national}`]),
      ...(code === null ? [] : ["00", "011", "0011"].map((prefix) => prefix + code + national)),
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
 * it is part of the others: a service that compares parts finds every writing by it. Of 11 digits, a number without `+` may begin with
 * its country code: then the digits come first, because the rest may be a part of others' numbers.
 */
export function askedWritings(reading: PhoneNumber): string[] {
  const [trunk] = afterTrunkPrefix(reading.number);
  const [number, withCode] = nationalNumbers(reading);
  if (!trunk && withCode && MAY_HAVE_CODE.test(reading.number))
    return [reading.number, `+${reading.number}`, `0${withCode.national}`, withCode.national];
  const { code, national } = trunk ?? number;
  const isAbroad = code !== null && reading.number.startsWith("+");
  const texts = [
    national,
    reading.number,
    ...(code === null ? [] : [`+${code}${national}`, code + national]),
    ...(isAbroad && code !== "1" ? [`0${national}`] : []),
  ];
  return [...new Set(texts)];
}

/** American numbers begin with a 2 to 9 behind their code; Chinese mobile numbers with 13 to 19. */
const MAY_HAVE_CODE = /^(?:12|[2-9]\d)\d{9}$/;

/** A number without `+` has a country code if it is longer than national numbers are. Of 10 or 11 digits it may. */
function nationalNumbers(reading: PhoneNumber): [PossibleNumber, ...PossibleNumber[]] {
  const digits = digitsOf(reading);
  const known = splitCountryCode(digits);
  if (known && reading.number.startsWith("+")) return [known];
  // 00 1 1…, or the Australian prefix 0011.
  if (known && reading.number.startsWith("0011")) return [{ code: null, national: digits }, known];
  const isTrunk = reading.number.startsWith("0");
  if (known && !isTrunk && digits.length >= 12) return [known];
  if (known && !isTrunk && isAsLongAsNational(known, digits)) return [{ code: null, national: digits }, known];
  return [{ code: null, national: digits }];
}

/** Whether it may be a national number, too: it has 10 or 11 digits, or its country has short numbers. */
const isAsLongAsNational = ({ code, national }: { code: string; national: string }, digits: string) =>
  national.length >= usualNationalDigits(code) &&
  (digits.length >= 10 || usualNationalDigits(code) < MIN_NUMBER_DIGITS);

const digitsOf = ({ number }: PhoneNumber) => number.replace(/^\+?0*/, "");
