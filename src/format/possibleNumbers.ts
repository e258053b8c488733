// What a phone number may be: without `+` nobody knows whether it begins with its country code. Duplicates and listed numbers are looked for
// under each of them.
import { type PossibleNumber, minNationalDigits, otherForms, plainForms, splitCountryCode } from "./countryCode.ts";
import { MIN_NUMBER_DIGITS } from "./readPhone.ts";

/** A longer number without `+` begins with a country code. */
const MAX_NATIONAL_DIGITS = 11;
interface TrunkPrefix {
  prefix: string;
  code: string;
  /** What may follow it. */
  national: RegExp;
}

/** Prefixes of calls within a country, other than 0 and 1. */
const TRUNK_PREFIXES: readonly TrunkPrefix[] = [
  { prefix: "8", code: "7", national: /^[34789]\d{9}$/ },
  { prefix: "80", code: "375", national: /^(?:17|25|29|33|44)\d{7}$/ },
  { prefix: "8", code: "370", national: /^[3-6]\d{7}$/ },
  { prefix: "8", code: "993", national: /^6\d{7}$/ },
  { prefix: "06", code: "36", national: /^(?:20|30|31|50|70)\d{7}$/ },
];

/** `dialled`: digits, with `+` if the number begins with one. At least one. */
export function possibleNumbers(dialled: string): PossibleNumber[] {
  const numbers = numbersOf(dialled);
  return [...numbers, ...numbers.flatMap(plainForms)];
}

function numbersOf(dialled: string): PossibleNumber[] {
  const digits = withoutZeros(dialled);
  if (digits.length < MIN_NUMBER_DIGITS) return [{ code: null, national: dialled }];
  const asWritten: PossibleNumber = { code: null, national: digits };
  const known = splitCountryCode(digits);
  const isComplete = known !== null && known.national.length >= minNationalDigits(known.code);
  // Without its code too few digits are left: it is compared as a whole.
  if (/^(?:\+|00)/.test(dialled))
    return [...(known ? [known] : []), ...(isComplete ? [] : [asWritten]), ...dialledAbroad(dialled)];
  // A number with a trunk zero begins with no country code.
  const hasCode = isComplete && !/^0[1-9]/.test(dialled);
  const own = hasCode && digits.length > MAX_NATIONAL_DIGITS ? [known] : hasCode ? [asWritten, known] : [asWritten];
  return [...own, ...afterTrunkPrefix(dialled), ...dialledAbroad(dialled)];
}

/** What the number is where it begins with a prefix of calls within a country: 8 916 123 45 67 is +7 916 123 45 67. */
export function afterTrunkPrefix(dialled: string): PossibleNumber[] {
  return TRUNK_PREFIXES.flatMap(({ prefix, code, national }) => {
    const rest = dialled.startsWith(prefix) ? dialled.slice(prefix.length) : "";
    return national.test(rest) ? [{ code, national: rest }] : [];
  });
}

/** The number with the prefixes of calls within its country, other than 0. */
export function trunkWritings({ code, national }: PossibleNumber): string[] {
  return TRUNK_PREFIXES.filter((trunk) => (code === null || code === trunk.code) && trunk.national.test(national)).map(
    ({ prefix }) => prefix + national,
  );
}

/** Whether two numbers, as they are dialled, may be one by the prefixes of a country: +52 1 55… and +52 55…, 8 916… and +7 916…. */
export function areOneByPrefixes(one: string, other: string): boolean {
  const [plainOne, plainOther] = [withoutPrefixes(one), withoutPrefixes(other)];
  if (plainOne.length + plainOther.length === 0) return false;
  const meet = (numbers: readonly PossibleNumber[], others: readonly PossibleNumber[]) =>
    numbers.some(({ code, national }) =>
      others.some((each) => each.national === national && (code === null || each.code === null || code === each.code)),
    );
  return meet(plainOne, possibleNumbers(other)) || meet(possibleNumbers(one), plainOther);
}

const withoutPrefixes = (dialled: string) => [...afterTrunkPrefix(dialled), ...numbersOf(dialled).flatMap(plainForms)];

/** The digits by which a list may hold the number, without leading zeros: with its country code and without, and with a trunk prefix. */
export function possibleDigits({ code, national }: PossibleNumber): string[] {
  const prefixed = trunkWritings({ code, national }).map(withoutZeros);
  // A number without its code may be of many countries, so its other forms are not looked for.
  const others = code === null ? [] : [{ code, national }, ...otherForms({ code, national })];
  return [national, ...others.flatMap((each) => [each.national, code + each.national]), ...prefixed];
}

/**
 * A number as it is dialled from a country whose prefix for calls abroad is 011 or 0011. At least ten digits follow: a shorter one, such as
 * 0113 496 0001, is a national number whose area code begins so.
 */
export function dialledAbroad(dialled: string): PossibleNumber[] {
  const [, international = ""] = /^00?11(\d{10,})$/.exec(dialled) ?? [];
  const known = splitCountryCode(withoutZeros(international));
  return known ? [known] : [];
}

const withoutZeros = (dialled: string) => dialled.replace(/^\+?0*/, "");
