// What holds for every text that may be a phone number: generated from the corpus, with changes that people and programs make.
import { array, assert, constantFrom, nat, property, record, string, tuple } from "fast-check";
import { describe, expect, it } from "vitest";
import { phoneCases } from "../corpus/phones.ts";
import { samePeople } from "../corpus/samePeople.ts";
import { contradictsPhone } from "../../src/loaders/phoneFilter.ts";
import { enteredPhoneKeys, possiblePhoneKeys, storedPhoneKey } from "../../src/format/phoneKeys.ts";
import { comparedPhone, comparedWritings } from "../../src/format/phoneWritings.ts";
import { isWholeNumber, readPhone, type PhoneNumber } from "../../src/format/readPhone.ts";
import { digitsOf, holdsOneNumber } from "../support/oneNumber.ts";
import { maskPhone } from "../../src/privacy/maskPhone.ts";
import { createPhoneMatcher } from "../../src/privacy/phoneMatcher.ts";
import { runSync } from "../../src/util/timeSlices.ts";
import { validateNumbers } from "../../src/tasks/taskNumbers.ts";

const pieces = [
  " ",
  "-",
  "+",
  "(0)",
  "'",
  '"',
  "=",
  ".0",
  ",",
  ";",
  "/",
  "转",
  "ext",
  "x",
  "доб.",
  "#",
  "\u202a",
  "１",
  "٣",
  "0",
  "5",
  "\n",
  "%",
  ":",
];
/** A text of the corpus with pieces put in, cut out, or after it. */
const written = record({
  text: constantFrom(...phoneCases.map(({ text }) => text)),
  changes: array(tuple(nat(40), constantFrom(...pieces), nat(3)), { maxLength: 4 }),
}).map(({ text, changes }) =>
  changes.reduce((changed, [at, piece, cut]) => changed.slice(0, at) + piece + changed.slice(at + cut), text),
);

const isAlone = (text: string) =>
  isWholeNumber(readPhone(text)) && numberOf(text)?.extension === null && !/^0?011 86/.test(text);
/** Whether it is known if the number begins with its country code. Where it is not, erasing guesses none: it cannot be undone. */
const isTold = (text: string) => !/^[2-9]\d{9,10}$|^390|^0?011|^376312345$|^8 6/.test(text);

const numberOf = (text: string): PhoneNumber | null => {
  const reading = readPhone(text);
  return reading.kind === "number" ? reading : null;
};

function sent(text: string): string | null {
  const mistakes: object[] = [];
  const report = (mistake: object) => mistakes.push(mistake) > 0;
  const [first] = runSync(validateNumbers([{ number: text }], report));
  return mistakes.length === 0 ? (first?.number ?? null) : null;
}

describe("A text that may be a phone number", () => {
  it("is sent as one number that it holds, without the digits beside it", () => {
    assert(
      property(written, (text) => {
        const [number, reading] = [sent(text), numberOf(text)];
        if (number === null || reading === null) return;
        expect([text, reading.number, holdsOneNumber(text, digitsOf(reading.number))]).toEqual([
          text,
          reading.number,
          true,
        ]);
        // A number in letters is sent as it is written.
        if (holdsOneNumber(number, digitsOf(reading.number)) && /(?:[a-z][^a-z]*){3}/i.test(number)) return;
        if (reading.extension === null && !/[*#]/.test(number))
          expect([text, number, holdsOneNumber(text, digitsOf(number))]).toEqual([text, number, true]);
      }),
      { numRuns: 2000 },
    );
  });

  it("never makes a reader throw", () => {
    assert(
      property(string({ unit: "binary", maxLength: 80 }), written, (odd, text) => {
        for (const each of [odd, text, odd + text, text + odd]) {
          const reading = readPhone(each);
          expect(["number", "label", "none"]).toContain(reading.kind);
          possiblePhoneKeys(each);
          maskPhone(each);
          createPhoneMatcher(each)?.(text);
          comparedPhone(each);
        }
      }),
      { numRuns: 500 },
    );
  });

  it("means the same when what is sent for it is read again", () => {
    assert(
      property(written, (text) => {
        const reading = numberOf(text);
        if (reading)
          expect([text, numberOf(reading.sent)]).toMatchObject([
            text,
            { number: reading.number, extension: reading.extension },
          ]);
      }),
      { numRuns: 2000 },
    );
  });

  it("is found by every reader if it is a number: the never-call list, erasing, filters of the log and checks of the service", () => {
    assert(
      property(written, (text) => {
        const reading = numberOf(text);
        const key = storedPhoneKey(text);
        if (!reading || key === null) return;
        expect([text, possiblePhoneKeys(text).includes(key)]).toEqual([text, true]);
        expect([text, comparedWritings(reading).includes(comparedPhone(text))]).toEqual([text, true]);
        if (reading.extension === null)
          expect([text, createPhoneMatcher(reading.number)?.(reading.sent)]).toEqual([text, true]);
        expect([text, contradictsPhone(reading.number, text)]).toEqual([text, false]);
      }),
      { numRuns: 2000 },
    );
  });

  it("is refused by the never-call list whatever stands beside a listed number", () => {
    const listed = "02112345678";
    const key = storedPhoneKey(listed);
    for (const beside of [
      "转801",
      "分机801",
      "-801",
      "（801）",
      " доб. 5",
      "内線5",
      "/9",
      " ext. 5",
      ",,5",
      "#5",
      "转接801",
      " x 12",
      ";ext=5",
      "、12345679",
      " 张三",
      " 내선 5",
      " máy lẻ 5",
      "  0001 0",
      "  0001 0доб.-801",
      " 12 - 3",
    ])
      for (const text of [`021-12345678${beside}`, `02112345678${beside}`, `(021)12345678${beside}`])
        expect([text, possiblePhoneKeys(text).includes(key ?? "")]).toEqual([text, true]);
    for (const text of [
      "1795102112345678",
      "17951 021-12345678",
      "12593 02112345678",
      "*31#02112345678",
      "电话02112345678",
      "13800010001/021-12345678",
    ])
      expect([text, possiblePhoneKeys(text).includes(key ?? "")]).toEqual([text, true]);
  });

  it("is refused, or found in the never-call list, with digits beside a listed number in any grouping", () => {
    const around = constantFrom("", " ", ..."2 801 - . · 楼 手机 Mobile # ( ) : 、 ① + 0".split(" "));
    const before = array(around, { maxLength: 3 }).map((pieces) => pieces.join(""));
    const groups = ["021-1234-5678", "138-0001-0001", "13800010001", "+44 20 7946 0001", "8888-0001", "555-0123"];
    const dividers = constantFrom(" ", "：", ". ", ") ", "、", "手机", "(", "号");
    assert(
      property(constantFrom(...groups), before, dividers, before, (number, head, divider, tail) => {
        const [key] = enteredPhoneKeys(number);
        // 555-0123 8010 may be one number of eleven digits.
        if (number === "555-0123" && digitsOf(divider + tail).length > 3) return;
        const isLocal = digitsOf(number).length < 10;
        // Before a local number, digits may be its area code.
        for (const text of [number + divider + tail, ...(isLocal ? [] : [head + divider + number])])
          expect([text, numberOf(text) === null || possiblePhoneKeys(text).includes(key ?? "")]).toEqual([text, true]);
      }),
      { numRuns: 5000 },
    );
  });

  it("protects its number in every reading that it may have", () => {
    for (const { text } of phoneCases) {
      const reading = numberOf(text);
      if (!reading || storedPhoneKey(text) === null) continue;
      const whole = digitsOf(text).length <= 15 && !/\p{L}/u.test(text) ? [digitsOf(text)] : [];
      for (const called of [text, reading.number, reading.sent, ...whole]) {
        const isFound = possiblePhoneKeys(called).some((key) => enteredPhoneKeys(text).includes(key));
        expect([text, called, isFound]).toEqual([text, called, true]);
      }
    }
  });

  it.each(samePeople.filter(({ one, other }) => isAlone(one) && isAlone(other)))(
    "is found under the other writing of its person: $one and $other",
    ({ one, other }) => {
      for (const [listed, called] of [
        [one, other],
        [other, one],
      ] as const) {
        const [entry, reading] = [numberOf(listed), numberOf(called)];
        const keys = possiblePhoneKeys(called);
        expect({
          isListed: enteredPhoneKeys(listed).some((key) => keys.includes(key)),
          isFiltered: reading && comparedWritings(reading).includes(comparedPhone(listed)),
          isForgotten: !(isTold(one) && isTold(other)) || createPhoneMatcher(called)?.(listed),
          contradicts: entry && contradictsPhone(called, listed),
        }).toEqual({ isListed: true, isFiltered: true, isForgotten: true, contradicts: false });
      }
    },
  );

  it("is not refused because of another number of the corpus", () => {
    // What the American prefix for calls abroad leads to is compared with +86 by no filter.
    const numbers = phoneCases
      .filter(({ text }) => !text.startsWith("011 "))
      .flatMap(({ text }) => {
        const reading = numberOf(text);
        return reading === null || storedPhoneKey(text) === null ? [] : [{ text, reading }];
      });
    const mistaken = numbers.flatMap(({ text, reading }) =>
      numbers
        .filter((other) => possiblePhoneKeys(text).includes(storedPhoneKey(other.text) ?? ""))
        .filter(
          (other) => !comparedWritings(other.reading).some((writing) => comparedWritings(reading).includes(writing)),
        )
        .map((other) => [text, other.text]),
    );
    expect(mistaken).toEqual([]);
  });

  it("shows at most eight of its digits when it is masked", () => {
    for (const { text, right } of phoneCases)
      if ("number" in right && right.number.length > 7)
        expect([text, digitsOf(maskPhone(text)).length - (right.extension?.length ?? 0) <= 9]).toEqual([text, true]);
  });
});
