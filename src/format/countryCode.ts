// Splits international phone numbers into country code and national number. Country codes are a prefix code, so the split is
// unique. Source: the list of assigned country codes of ITU-T E.164.

const COUNTRY_CODE = /^(?:1|7|2[07]|3[0-469]|4[013-9]|5[1-8]|6[0-6]|8[1246]|9[0-58]|[2-9]\d\d)/;

/**
 * Returns the national number, without leading zeros, of digits that begin with a country code. Null where they do not, or where
 * nothing follows it.
 */
export function nationalNumber(digits: string): string | null {
  const [code] = COUNTRY_CODE.exec(digits) ?? [];
  return code === undefined ? null : digits.slice(code.length).replace(/^0+/, "") || null;
}
