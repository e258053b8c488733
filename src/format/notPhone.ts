// What stands in columns of phone numbers without being one: dates, times, amounts, percentages, addresses, and numbers that a
// spreadsheet has rounded. Source of the cases: test/corpus/phones.ts.

export type OtherText = "rounded" | "percentage" | "amount" | "date" | "time" | "address";

const MONTH = "(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*";
const DAY = String.raw`(?:0?[1-9]|[12]\d|3[01])`;
const MONTH_NUMBER = String.raw`(?:0?[1-9]|1[0-2])`;
const YEAR = String.raw`(?:19|20)\d\d`;
const CLOCK = String.raw`(?:[01]?\d|2[0-4]):[0-5]\d(?::[0-6]\d(?:[.,]\d{1,9})?)?(?:\s*[ap]\.?m\.?)?`;
const BYTE = String.raw`(?:0|[1-9]\d?|1\d\d|2[0-4]\d|25[0-5])`;

const RULES: readonly [OtherText, RegExp][] = [
  ["rounded", /^[+-]?\d+(?:[.,]\d+)?E\+\d+$|^[+-]?\d+[.,]\d+E-?\d+$/i],
  ["percentage", /\d\s*[%‰]$/],
  [
    "amount",
    /^[+-]?\s*\p{Sc}|\d\s*(?:\p{Sc}|[元円])$|^(?:usd|eur|cny|rmb|gbp|jpy)\s*\d|\d\s*(?:usd|eur|cny|rmb|gbp|jpy)$/iu,
  ],
  ["amount", /^[+-]?\d+[.,]\d{1,2}$|^[+-]?\d{1,3}(?:[,']\d{3})+(?:\.\d+)?$|^[+-]?\d{1,3}(?:\.\d{3})+,\d{1,2}$/],
  ["date", new RegExp(`^${YEAR}([-/.])${MONTH_NUMBER}\\1${DAY}(?:[T ].*)?$`, "i")],
  ["date", new RegExp(`^(?:${DAY}([-/.])${MONTH_NUMBER}\\1|${MONTH_NUMBER}([-/.])${DAY}\\2)${YEAR}(?:[T, ].*)?$`, "i")],
  ["date", new RegExp(`^(?:${DAY}/${MONTH_NUMBER}|${MONTH_NUMBER}/${DAY})/\\d\\d$`)],
  ["date", new RegExp(`^${YEAR}年${MONTH_NUMBER}月`)],
  ["date", new RegExp(`^(?:${DAY}\\.?[ -])?${MONTH}\\.?[ -](?:${DAY},? )?${YEAR}$`, "i")],
  // 20120102 08:00, and 20120102080000 as some exports write a time.
  [
    "date",
    new RegExp(
      String.raw`^${YEAR}(?:0[1-9]|1[0-2])(?:0[1-9]|[12]\d|3[01])(?:[T ]+${CLOCK}|(?:[01]\d|2[0-3])[0-5]\d[0-5]\d)$`,
      "i",
    ),
  ],
  ["time", new RegExp(`^${CLOCK}(?:\\s*[-~]\\s*${CLOCK})?$`, "i")],
  ["address", new RegExp(String.raw`^${BYTE}(?:\.${BYTE}){3}(?:[:/]\d{1,5})?$`)],
  ["address", /^(?:[\da-f]{1,4}:){7}[\da-f]{1,4}$|^[\da-f:]*::[\da-f:]*$|^(?:[\da-f]{2}[:-]){5}[\da-f]{2}$/i],
  ["address", /^(?!sips?:)[^\s]*@|:\/\/(?<!tel:\/\/)/i],
];

/** Null: the text may be a phone number. It has no marks (phoneMarks.ts). */
export function otherText(text: string): OtherText | null {
  return RULES.find(([, rule]) => rule.test(text))?.[0] ?? null;
}
