// Splits international phone numbers into country code and national number. Country codes are a prefix code, so the split is
// unique. Source: the list of assigned country codes of ITU-T E.164.

const COUNTRY_CODE = /^(?:1|7|2[07]|3[0-469]|4[013-9]|5[1-8]|6[0-6]|8[1246]|9[0-58]|[2-9]\d\d)/;

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
