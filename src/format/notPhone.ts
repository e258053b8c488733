// What stands in columns of phone numbers without being one: dates, times, amounts, percentages, addresses, and numbers that a
// spreadsheet has rounded. Source of the cases: test/corpus/phones.ts.

export type OtherText = "rounded" | "percentage" | "amount" | "date" | "time" | "address" | "account" | "word";

const MONTH = "(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*";
const DAY = String.raw`(?:0?[1-9]|[12]\d|3[01])`;
const MONTH_NUMBER = String.raw`(?:0?[1-9]|1[0-2])`;
const YEAR = String.raw`(?:19|20)\d\d`;
const CLOCK = String.raw`(?:[01]?\d|2[0-4]):[0-5]\d(?::[0-6]\d(?:[.,]\d{1,9})?)?(?:\s*[ap]\.?m\.?)?`;
/** Signs and codes of currencies, before an amount. */
const CURRENCY = String.raw`[a-z]{0,3}\s*\p{Sc}|(?:usd|usdt|eur|cny|rmb|gbp|jpy|chf|inr|rs|rub|krw|hkd|twd|ntd|sgd|aud|cad|nzd|pln|czk|sek|nok|dkk|uah|thb|vnd|idr|brl|mxn|zar|aed|sar)\.?`;
/** Behind one, and names of currencies. */
const CURRENCY_BEHIND = String.raw`${CURRENCY}|[元円块塊원đ]|[万萬]元?|руб(?:ль|ля|лей)?\.?|грн\.?|zł|kč|kr`;
const MONTH_NAME = String.raw`(?:de |of )?\p{L}{3,12}\.?,?(?: de)?`;
const DOT_CLOCK = String.raw`(?:[01]?\d|2[0-4])\.[0-5]\d`;
const BYTE = String.raw`(?:0|[1-9]\d?|1\d\d|2[0-4]\d|25[0-5])`;

const RULES: readonly [OtherText, RegExp][] = [
  ["rounded", /^[+-]?\d+(?:[.,]\d+)?E\+\d+$|^[+-]?\d+[.,]\d+E-?\d+$|^\d+E\d{1,2}$/i],
  ["percentage", /\d\s*[%‰]$/],
  ["amount", new RegExp(String.raw`^[+-]?\s*(?:${CURRENCY})\s*\d|^[+-]?\s*\p{Sc}|\d\s*(?:${CURRENCY_BEHIND})$`, "iu")],
  ["amount", /^[+-]?[1-9]\d{4,}[.,]\d+$|^[+-]?\d{1,3}(?: \d{3})+,\d{1,2}$/],
  ["amount", /^[+-]?\d+[.,]\d{1,2}$|^[+-]?\d{1,3}(?:[,'’]\d{3})+(?:\.\d+)?$|^[+-]?\d{1,3}(?:\.\d{3})+,\d{1,2}$/],
  ["date", new RegExp(`^${YEAR}([-/.])${MONTH_NUMBER}\\1${DAY}(?:[T ].*)?$`, "i")],
  ["date", new RegExp(`^(?:${DAY}([-/.])${MONTH_NUMBER}\\1|${MONTH_NUMBER}([-/.])${DAY}\\2)${YEAR}(?:[T, ].*)?$`, "i")],
  ["date", new RegExp(`^(?:${DAY}([-/.])${MONTH_NUMBER}\\1|${MONTH_NUMBER}([-/.])${DAY}\\2)\\d\\d$`)],
  ["date", new RegExp(`^${YEAR} ${MONTH_NUMBER} ${DAY}$`)],
  // 202601010800. The years 2010 to 2012 and 2015 begin Egyptian mobile numbers.
  [
    "date",
    new RegExp(String.raw`^(?!201[0125])20\d\d(?:0[1-9]|1[0-2])(?:0[1-9]|[12]\d|3[01])(?:[01]\d|2[0-3])[0-5]\d$`),
  ],
  ["date", new RegExp(`^${YEAR}(?:年|년 ?)${MONTH_NUMBER}[月월]`)],
  ["date", new RegExp(`^(?:${DAY}\\.?[ -])?${MONTH}\\.?[ -](?:${DAY}(?:st|nd|rd|th)?,? )?${YEAR}$`, "i")],
  // 20 août 2026, 20 мая 2026 г., 2026. november 20.
  ["date", new RegExp(`^${DAY}(?:\\.|st|nd|rd|th|er)?[ -]${MONTH_NAME}[ -]${YEAR}(?: г\\.?)?$`, "iu")],
  ["date", new RegExp(`^${YEAR}\\.? ${MONTH_NAME} ${DAY}\\.?$`, "iu")],
  // 20120102 08:00, and 20120102080000 as some exports write a time.
  [
    "date",
    new RegExp(
      String.raw`^${YEAR}(?:0[1-9]|1[0-2])(?:0[1-9]|[12]\d|3[01])(?:[T ]+${CLOCK}|(?:[01]\d|2[0-3])[0-5]\d[0-5]\d)$`,
      "i",
    ),
  ],
  ["time", new RegExp(`^${CLOCK}(?:\\s*[-~]\\s*${CLOCK})?$`, "i")],
  ["time", new RegExp(String.raw`^${DOT_CLOCK}\s*[-~]\s*${DOT_CLOCK}$`)],
  ["address", new RegExp(String.raw`^(?:::(?:ffff:)?)?${BYTE}(?:\.(?:${BYTE}|0\d\d)){3}(?:[:/]\d{1,5})?$`, "i")],
  ["address", /^(?:[\da-f]{1,4}:){7}[\da-f]{1,4}$|^[\da-f:]*::[\da-f:]*$|^(?:[\da-f]{2}[:-]){5}[\da-f]{2}$/i],
  // An IBAN has at least 15 characters.
  ["account", /^[a-z]{2}\d{2}(?=(?: ?[a-z\d]){11,30}$)(?: ?[a-z\d]{4})+(?: ?[a-z\d]{1,3})?$/i],
  ["word", /^[<(]?(?:nan|nat|n\/?a|null|nil|none|undefined|true|false)[)>]?$|^\\n$|^\[object object\]$/i],
  ["word", /^#(?:n\/a|ref|value|name|div\/0|num|null|spill|calc|field|error)[!?]?$/i],
  ["address", /^(?!sips?:)[^\s]*@|:\/\/(?<!tel:\/\/)/i],
];

/** Null: the text may be a phone number. It has no marks (phoneMarks.ts). */
export function otherText(text: string): OtherText | null {
  return RULES.find(([, rule]) => rule.test(text))?.[0] ?? null;
}
