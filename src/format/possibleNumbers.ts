// What a phone number may be: without `+` nobody knows whether it begins with its country code. Duplicates and listed numbers are looked for
// under each of them.
import { splitCountryCode } from "./countryCode.ts";
import { MIN_NUMBER_DIGITS } from "./readPhone.ts";

export interface PossibleNumber {
  /** Null: it is not known. */
  code: string | null;
  /** Without leading zeros. Of a short number: the whole text. */
  national: string;
}

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
  { prefix: "06", code: "36", national: /^(?:20|30|31|50|70)\d{7}$/ },
];

/** `dialled`: digits, with `+` if the number begins with one. At least one. */
export function possibleNumbers(dialled: string): PossibleNumber[] {
  const digits = withoutZeros(dialled);
  if (digits.length < MIN_NUMBER_DIGITS) return [{ code: null, national: dialled }];
  const asWritten: PossibleNumber = { code: null, national: digits };
  const known = splitCountryCode(digits);
  if (/^(?:\+|00)/.test(dialled)) return [known ?? asWritten, ...dialledAbroad(dialled)];
  const afterTrunkPrefix = TRUNK_PREFIXES.map(({ prefix, code, national }) => ({
    code,
    national:
      dialled.startsWith(prefix) && national.test(dialled.slice(prefix.length)) ? dialled.slice(prefix.length) : "",
  })).filter(({ national }) => national !== "");
  // A number with a trunk zero begins with no country code.
  const hasCode = known !== null && known.national.length >= MIN_NUMBER_DIGITS && !/^0[1-9]/.test(dialled);
  const own = hasCode && digits.length > MAX_NATIONAL_DIGITS ? [known] : hasCode ? [asWritten, known] : [asWritten];
  return [...own, ...afterTrunkPrefix, ...dialledAbroad(dialled)];
}

/** The digits by which a list may hold the number, without leading zeros: with its country code and without, and with a trunk prefix. */
export function possibleDigits({ code, national }: PossibleNumber): string[] {
  const prefixed = TRUNK_PREFIXES.filter(
    (trunk) => (code === null || code === trunk.code) && trunk.national.test(national),
  ).map(({ prefix }) => withoutZeros(prefix + national));
  return [national, ...(code === null ? [] : [code + national]), ...prefixed];
}

/**
 * A number as it is dialled from a country whose prefix for calls abroad is 011 or 0011. At least ten digits follow: a shorter one, such as
 * 0113 496 0001, is a national number whose area code begins so.
 */
function dialledAbroad(dialled: string): PossibleNumber[] {
  const [, international = ""] = /^00?11(\d{10,})$/.exec(dialled) ?? [];
  const known = splitCountryCode(withoutZeros(international));
  return known ? [known] : [];
}

const withoutZeros = (dialled: string) => dialled.replace(/^\+?0*/, "");
