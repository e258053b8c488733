// The numbers of a new task: each could be one, and none is there twice. Letters are told apart but for their case (A068 is a
// line's label), and country codes are not guessed: with and without one are two numbers here.
import { z } from "zod";
import { dialled, LONGEST_NUMBER } from "../dialect/phoneText.ts";

const MOST_NUMBERS = 100_000;

/** No part of a number in any writing, and not to be seen: whoever sent it would not find it. Blanks are none of these. */
const UNPRINTABLE = /[^\P{Cc}\s]|\p{Cs}/u;

/** Read once, for there are many. `dialled`: empty where it is no number. */
const number = z.string().transform((given, issues) => {
  const written = given.trim();
  // The length first: nothing else looks at a number that is too long.
  const isRead = written.length <= LONGEST_NUMBER && !UNPRINTABLE.test(written);
  const number = { written, dialled: isRead ? dialled(written) : "" };
  // Told with every other mistake: `continue`.
  if (number.dialled === "") issues.addIssue({ code: "custom", message: mistakeIn(written), continue: true });
  return number;
});

function mistakeIn(number: string): string {
  if (number.length > LONGEST_NUMBER) return `must have ${LONGEST_NUMBER} characters at most`;
  if (!number.isWellFormed()) return "must be Unicode";
  if (UNPRINTABLE.test(number)) return "must not hold control characters but blanks";
  return number === "" ? "must not be empty" : "must hold a digit or a Latin letter";
}

/** `variables`: the schema of what is said of each number. */
export function taskNumbers<Variables extends z.ZodType>(variables: Variables) {
  return z
    .array(z.object({ number, extra: variables }))
    .min(1, "must hold a number at least")
    .max(MOST_NUMBERS, `must hold ${MOST_NUMBERS} numbers at most`)
    .superRefine((list, issues) => {
      const firstAt = new Map<string, number>();
      list.forEach(({ number: { dialled } }, index) => {
        const first = firstAt.get(dialled);
        if (first === undefined) firstAt.set(dialled, index);
        else if (dialled !== "") {
          const message = `is the same number as the one at ${first}: nobody is called twice`;
          issues.addIssue({ code: "custom", message, path: [index, "number"] });
        }
      });
    });
}
