// A table is read by the console's form, and its numbers are checked by createTask, checkTask and proposals: each must find the same people twice.
import { assert, constantFrom, nat, property, stringMatching, uniqueArray } from "fast-check";
import { describe, expect, it } from "vitest";
import { enteredPhoneKeys, possiblePhoneKeys } from "../../src/format/phoneKeys.ts";
import { readPhone } from "../../src/format/readPhone.ts";
import { createPeople } from "../../src/format/samePerson.ts";
import { validateCheckTask, validateCreateTask } from "../../src/tasks/validateCreateTask.ts";
import { runSync } from "../../src/util/timeSlices.ts";
import { phoneCases } from "../corpus/phones.ts";
import { samePeople } from "../corpus/samePeople.ts";
import { checkPeople } from "../support/checkPeople.ts";
import { createTaskInput } from "../tasks/input.ts";

/** For each number: the place of the same person before it, or null. */
function placesIn(numbers: readonly string[]): (number | null)[] {
  const find = createPeople();
  return numbers.map((text, place) => {
    const reading = readPhone(text);
    return reading.kind === "none" ? null : find(reading, place);
  });
}

const isSame = (one: string, other: string) => placesIn([one, other])[1] === 0;

describe("Two writings of one person's number", () => {
  it.each(samePeople)("$one and $other count once, in either order", ({ one, other }) => {
    expect([isSame(one, other), isSame(other, one)]).toEqual([true, true]);
  });

  it.each([
    ["+8613800010001", "+113800010001"],
    ["33612345678", "49612345678"],
    ["33612345678", "+49612345678"],
    ["+12025550101", "+44 2025550101"],
    ["021-12345678转801", "021-12345678转802"],
    ["021-12345678", "021-12345678转801"],
    ["1-380-555-0101 x5", "1-380-555-0101 x6"],
    ["A068", "B068"],
    ["A068", "068"],
    ["068", "68"],
    ["13800010001", "13800010002"],
  ])("%s and %s count twice, because they may be two people", (one, other) => {
    expect([isSame(one, other), isSame(other, one)]).toEqual([false, false]);
  });

  it("are found by the form, createTask, checkTask and proposals alike, in texts of the corpus", () => {
    const written = phoneCases
      .map(({ text }) => text)
      .filter((text) => readPhone(text).kind === "number" && checkPeople(quoted([text]), CHOICE).numbers.length === 1);
    assert(
      property(uniqueArray(constantFrom(...written), { minLength: 2, maxLength: 12 }), (numbers) => {
        const input = { numbers: numbers.map((number) => ({ number })) };
        const { problems, rows } = checkPeople(quoted(numbers), CHOICE);
        const found = problems.map(({ row, first }) => [row - 2, (first ?? 0) - 2]);
        expect(
          [...rows.map((row) => row - 2), ...found.map(([at]) => at)].toSorted((a, b) => Number(a) - Number(b)),
        ).toEqual([...numbers.keys()]);
        const places = placesIn(numbers);
        expect(found).toEqual([...places.entries()].filter(([, place]) => place !== null));
        const mistakes = found.map(([at, first]) => ({
          path: ["numbers", String(at), "number"],
          message: `is the same number as the one at ${first}: nobody is called twice`,
        }));
        for (const validated of [
          validateCreateTask(createTaskInput(input)),
          validateCheckTask(createTaskInput(input)),
        ]) {
          const read = runSync(validated);
          expect("errors" in read ? read.errors : []).toEqual(mistakes);
        }
      }),
      { numRuns: 300 },
    );
  });

  it("count once in every pair of writings, and the never-call list finds an entry in each of them by each of them", () => {
    const number = constantFrom(...COUNTRIES).chain(([code, trunk, form]) =>
      stringMatching(form).map((national) => [
        `+${code}${national}`,
        `00${code}${national}`,
        code + national,
        trunk + national,
        national,
      ]),
    );
    assert(
      property(number, nat(), nat(), (writings, first, second) => {
        const [one, other] = [writings[first % writings.length] ?? "", writings[second % writings.length] ?? ""];
        const entered = enteredPhoneKeys(one);
        const isListed = possiblePhoneKeys(other).some((key) => entered.includes(key));
        // A number of six digits is sent, and cannot be listed.
        expect([one, other, isSame(one, other), isListed]).toEqual([one, other, true, entered.length > 0]);
      }),
      { numRuns: 4000 },
    );
  });
});

/** A country's code, what stands before a number in calls within it, and numbers that nobody can have. */
const COUNTRIES: [code: string, trunk: string, national: RegExp][] = [
  ["1", "1", /^[2-9]\d{2}55501\d{2}$/],
  ["7", "8", /^[489]\d{2}000\d{4}$/],
  ["33", "0", /^63998\d{4}$/],
  ["36", "06", /^(?:20|30|70)000\d{4}$/],
  ["86", "", /^138000\d{5}$/],
  ["86", "0", /^21[1-9]000\d{4}$/],
  ["375", "80", /^(?:29|33|44)000\d{4}$/],
  // With their code they have ten or eleven digits, as national numbers of other countries have.
  ["31", "0", /^6000\d{5}$/],
  ["32", "0", /^470000\d{3}$/],
  ["34", "", /^600000\d{3}$/],
  ["41", "0", /^79000\d{4}$/],
  ["45", "", /^2000\d{4}$/],
  ["47", "", /^4000\d{4}$/],
  ["48", "", /^500000\d{3}$/],
  ["61", "0", /^400000\d{3}$/],
  ["65", "", /^8000\d{4}$/],
  ["354", "", /^611\d{4}$/],
  ["371", "", /^2000\d{4}$/],
  ["852", "", /^6000\d{4}$/],
  // Short ones
  ["376", "", /^3[1-9]\d{4}$/],
  ["298", "", /^2[1-9]\d{4}$/],
  ["682", "", /^7[1-9]\d{3}$/],
  ["370", "8", /^6000\d{4}$/],
  ["993", "8", /^6[1-5]00\d{4}$/],
  ["39", "", /^06862\d{5}$/],
];

const CHOICE = { separator: ",", headRow: 1, columns: { number: 0 } } as const;
const quoted = (cells: readonly string[]) =>
  ["号码", ...cells.map((cell) => `"${cell.replaceAll('"', '""')}"`)].join("\n");
