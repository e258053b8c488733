// All readers of phone numbers.
import { phoneCases } from "../corpus/phones.ts";
import { enteredPhoneKeys, possiblePhoneKeys, storedPhoneKey } from "../../src/format/phoneKeys.ts";
import { MAX_PHONE_LENGTH } from "../../src/format/phoneText.ts";
import { askedWritings, comparedPhone, comparedWritings } from "../../src/format/phoneWritings.ts";
import { readPhone, type LineLabel, type PhoneNumber } from "../../src/format/readPhone.ts";
import { contradictsPhone } from "../../src/loaders/phoneFilter.ts";
import { maskPhone } from "../../src/privacy/maskPhone.ts";
import { createPhoneMatcher } from "../../src/privacy/phoneMatcher.ts";
import { validateNumbers } from "../../src/tasks/taskNumbers.ts";
import { runSync } from "../../src/util/timeSlices.ts";
import { digitsOf, holdsOneNumber } from "../support/oneNumber.ts";
import { mutationsOf } from "./mutations.ts";
import type { Target } from "./target.ts";

const WORDS = ["转", "ext", "доб.", "(0)", "tel:", " or ", "内線", "、", "17951", "+86", "*31#", ".00", "张三", ",,5"];

/** The listed numbers of which no text that holds one may be called. */
const LISTED = ["021-12345678", "021-1234-5678", "138-0001-0001", "13800010001"].map((written) => ({
  written,
  key: storedPhoneKey(written) ?? "",
}));
/** What leaves a number as it is: another digit, sign or letter makes another text of it, and so does a digit beside an invisible mark. */
const BESIDE = /^(?!\ufeff)[\p{L}\s、，；。（(【[|&_=:：].{0,30}$/u;
const BEFORE = /^(?!\ufeff).{0,30}[\p{L}\s、，；。）)】\]|&_=:：](?<!\ufeff)$/u;

export const phoneTarget: Target = {
  kind: "phones",
  texts: mutationsOf(
    phoneCases.map(({ text }) => text),
    WORDS,
  ),
  faultOf(text) {
    const reading = readPhone(text);
    const key = storedPhoneKey(text);
    const possible = possiblePhoneKeys(text);
    const sent = sentFor(text);
    maskPhone(text);
    createPhoneMatcher(text)?.("021-12345678");
    if (sent !== null && reading.kind !== "none" && !isHeld(text, sent, reading))
      return `sends ${sent}, which is not one number of the text`;
    if ((sent === null) !== (reading.kind === "none"))
      return "a task and the reader do not agree whether it is a number";
    if (reading.kind === "number") return faultOfNumber(text, reading, key, possible);
    if (key !== null) return "the never-call list keeps what is no number";
    return listedFault(text);
  },
};

function faultOfNumber(text: string, reading: PhoneNumber, key: string | null, possible: readonly string[]) {
  const again = readPhone(reading.sent);
  if (again.kind !== "number" || again.number !== reading.number || again.extension !== reading.extension)
    return `what is sent (${reading.sent}) is read as another number`;
  if (contradictsPhone(reading.number, text)) return "the check of the service's filter does not find it";
  if (!comparedWritings(reading).includes(comparedPhone(text))) return "the filter of the log does not find it";
  if (askedWritings(reading).length === 0) return "the service is asked in no writing";
  if (key === null) return /^\+?0*[1-9]\d{6,14}$/.test(reading.number) ? "has no key" : null;
  if (!possible.includes(key)) return "the never-call list does not find it";
  const entered = enteredPhoneKeys(text);
  const unprotected = [reading.sent, reading.number].find(
    (called) => !possiblePhoneKeys(called).some((each) => entered.includes(each)),
  );
  if (unprotected !== undefined) return `as an entry of the never-call list it does not protect ${unprotected}`;
  if (reading.extension === null && createPhoneMatcher(reading.number)?.(reading.sent) === false)
    return "forgetting the number does not find what was sent";
  return null;
}

/** A listed number with the text behind it or before it is refused, or found in the list. */
function listedFault(beside: string): string | null {
  for (const { written, key } of LISTED) {
    const texts = [
      ...(BESIDE.test(beside) ? [written + beside] : []),
      ...(BEFORE.test(beside) ? [beside + written] : []),
    ];
    const called = texts
      .filter((text) => text.length <= MAX_PHONE_LENGTH && readPhone(text).kind === "number")
      .find((text) => !possiblePhoneKeys(text).includes(key));
    if (called !== undefined) return `a listed number beside it would be called (${called})`;
  }
  return null;
}

/** A label is sent as it is written. Beside an extension or a code, so is the number. */
function isHeld(text: string, sent: string, reading: PhoneNumber | LineLabel): boolean {
  if (reading.kind === "label") return sent === text.trim();
  if (reading.extension === null && /(?:[a-z][^a-z]*){3}/i.test(sent))
    return [text, sent].every((each) => holdsOneNumber(each, digitsOf(reading.number)));
  const isAlone = reading.extension === null && /^\D*\d[^*#]*$/.test(sent);
  return holdsOneNumber(text, digitsOf(reading.number)) && (!isAlone || holdsOneNumber(text, digitsOf(sent)));
}

/** What a task sends for the text; null: it is refused. */
function sentFor(text: string): string | null {
  const mistakes: object[] = [];
  const [first] = runSync(validateNumbers([{ number: text }], (mistake) => mistakes.push(mistake) > 0));
  return mistakes.length === 0 ? (first?.number ?? null) : null;
}
