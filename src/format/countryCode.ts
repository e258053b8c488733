// Splits international phone numbers into country code and national number. Country codes are a prefix code, so the split is
// unique. Source: the list of assigned country codes of ITU-T E.164.

const COUNTRY_CODE = /^(?:1|7|2[07]|3[0-469]|4[013-9]|5[1-8]|6[0-6]|8[1246]|9[0-58]|[2-9]\d\d)/;

/** Ascension, Falklands, Faroes, Greenland, Andorra and islands whose numbers have fewer than seven digits. */
const SHORT_NUMBER_CODES = "247 290 298 299 376 500 508 672 681 682 687 688 690".split(" ");
/** The least digits of a national number. */
export const minNationalDigits = (code: string): number => (SHORT_NUMBER_CODES.includes(code) ? 4 : 7);

/** Codes whose national numbers have nine or ten digits, and not fewer. Source: the metadata of libphonenumber. */
const NINE_DIGIT_CODES = "27 31 33 34 40 41 44 48 61 81 84 86 92 93 94".split(" ");
const TEN_DIGIT_CODES = "1 7 30 52 54 55 58 90 91 98".split(" ");
/** The least digits of a national number of the code, other than special numbers. */
export function usualNationalDigits(code: string): number {
  if (TEN_DIGIT_CODES.includes(code)) return 10;
  return NINE_DIGIT_CODES.includes(code) ? 9 : minNationalDigits(code);
}

/** Every country code. */
export const countryCodes: readonly string[] = Array.from({ length: 999 }, (_, at) => String(at + 1)).filter(
  (code) => COUNTRY_CODE.exec(code)?.[0] === code,
);

/** The national number has no leading zeros. Null: the digits do not begin with a country code, or nothing follows it. */
export function splitCountryCode(digits: string): { code: string; national: string } | null {
  const [code] = COUNTRY_CODE.exec(digits) ?? [];
  const national = code === undefined ? "" : digits.slice(code.length).replace(/^0+/, "");
  return code === undefined || national === "" ? null : { code, national };
}

export const nationalNumber = (digits: string): string | null => splitCountryCode(digits)?.national ?? null;

export interface PossibleNumber {
  /** Null: it is not known. */
  code: string | null;
  /** Without leading zeros. Of a short number: the whole text. */
  national: string;
}

/**
 * A country that writes one number in several ways. Argentina has a prefix of mobile numbers for calls from abroad (9) and within the country
 * (15). Mexico had one (1), and Brazil put a 9 before all of them. Sources: test/corpus/samePeople.ts.
 */
interface Country {
  code: string;
  /** Whether its prefixes also stand in numbers that do not begin with its code. */
  hasLocalPrefixes: boolean;
  /** A national number without the country's prefixes; several where it is not clear where a prefix is. */
  plain: (national: string) => string[];
  /** The other writings of a plain number. */
  others: (plain: string) => string[];
}

const ARGENTINE_AREAS = [2, 3, 4];

const COUNTRIES: readonly Country[] = [
  {
    code: "52",
    hasLocalPrefixes: false,
    plain: (national) => (/^1[2-9]\d{9}$/.test(national) ? [national.slice(1)] : []),
    others: (plain) => (/^[2-9]\d{9}$/.test(plain) ? [`1${plain}`] : []),
  },
  {
    code: "54",
    hasLocalPrefixes: true,
    plain(national) {
      const local = national.replace(/^9(?=[1-3]\d{9})/, "");
      if (/^[1-3]\d{9}$/.test(local)) return local === national ? [] : [local];
      if (!/^[1-3]\d{11}$/.test(local)) return [];
      const areas = ARGENTINE_AREAS.filter((length) => local.startsWith("15", length));
      return areas.map((length) => local.slice(0, length) + local.slice(length + 2));
    },
    others(plain) {
      if (!/^[1-3]\d{9}$/.test(plain)) return [];
      return [`9${plain}`, ...ARGENTINE_AREAS.map((area) => `${plain.slice(0, area)}15${plain.slice(area)}`)];
    },
  },
  {
    code: "55",
    hasLocalPrefixes: true,
    plain: (national) => (/^[1-9]{2}9[6-9]\d{7}$/.test(national) ? [national.slice(0, 2) + national.slice(3)] : []),
    others: (plain) => (/^[1-9]{2}[6-9]\d{7}$/.test(plain) ? [`${plain.slice(0, 2)}9${plain.slice(2)}`] : []),
  },
];

/** What the number is without its country's prefixes, in each country that it may be of. Two writings of one number have one in common. */
export function plainForms({ code, national }: PossibleNumber): PossibleNumber[] {
  return COUNTRIES.filter((country) => code === country.code || (code === null && country.hasLocalPrefixes)).flatMap(
    (country) => country.plain(national).map((plain) => ({ code: country.code, national: plain })),
  );
}

/** All other writings of the number, in each country that it may be of. */
export function otherForms({ code, national }: PossibleNumber): PossibleNumber[] {
  const forms = COUNTRIES.filter((country) => code === null || code === country.code).flatMap((country) => {
    const plain = [national, ...country.plain(national)];
    const all = [...plain, ...plain.flatMap(country.others)];
    return all.filter((each) => each !== national).map((each) => ({ code: country.code, national: each }));
  });
  return forms;
}
