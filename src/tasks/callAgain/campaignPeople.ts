// People of a campaign, as keyed hashes of their possible numbers: whom a submission calls, without a phone number.
import { readPhone } from "../../format/readPhone.ts";
import { possiblePeople } from "../../format/samePerson.ts";
import type { PersonKey } from "../../store/projections/recipientPeople.ts";
import type { Signer } from "../../util/hmac.ts";
import type { Steps } from "../../util/timeSlices.ts";

/** Two people are one if they have a common key, unless both state other codes. */
export interface PeopleSet {
  add(keys: readonly PersonKey[]): void;
  has(keys: readonly PersonKey[]): boolean;
}

/** The codes of a key as one text: a hundred thousand keys with a Set each would take several times the memory. */
const NO_CODE = "*";

export function createPeopleSet(): PeopleSet {
  const codes = new Map<string, string>();
  return {
    add(keys) {
      for (const { key, code } of keys) {
        const own = code ?? NO_CODE;
        const before = codes.get(key);
        if (before === undefined) codes.set(key, own);
        else if (before !== own && !before.split(" ").includes(own)) codes.set(key, `${before} ${own}`);
      }
    },
    has: (keys) =>
      keys.some(({ key, code }) => {
        const known = codes.get(key);
        if (known === undefined) return false;
        if (code === null || known === code || known === NO_CODE) return true;
        return known.split(" ").some((each) => each === code || each === NO_CODE);
      }),
  };
}

/**
 * The number as it is sent, and by which its person is known, not hashed. Null: the text is not a number that can be called. A word of the log,
 * such as anonymous, stands for a number that is hidden, and is the same word for several people.
 */
export function readPerson(number: string): { sent: string; keys: PersonKey[] } | null {
  const reading = readPhone(number);
  if (reading.kind === "label" && !/\d/.test(reading.dialled)) return null;
  return reading.kind === "none" ? null : { sent: reading.sent, keys: possiblePeople(reading) };
}

/** 96 bits. */
const KEY_LENGTH = 16;

/** The same in all campaigns: two of them may turn out to be one. */
const hashKeys = (signer: Pick<Signer, "digest">, keys: readonly PersonKey[]): PersonKey[] =>
  keys.map(({ key, code }) => ({ key: signer.digest("call again", key).slice(0, KEY_LENGTH), code }));

/** A line for each number. */
export function* writePeople(signer: Pick<Signer, "digest">, numbers: readonly { number: string }[]): Steps<string> {
  const lines: string[] = [];
  for (const { number } of numbers) {
    const keys = hashKeys(signer, readPerson(number)?.keys ?? []);
    lines.push(keys.map(({ key, code }) => key + (code ?? "")).join(" "));
    yield;
  }
  return lines.join("\n");
}

interface HasKeys {
  keys: readonly PersonKey[];
}

/** One person per step. */
export function* hashPeople(signer: Pick<Signer, "digest">, people: readonly HasKeys[]): Steps<PersonKey[][]> {
  const hashed: PersonKey[][] = [];
  for (const { keys } of people) {
    hashed.push(hashKeys(signer, keys));
    yield;
  }
  return hashed;
}

/** Which of these people are in the set. `hashed`: their keys as the set has them. One person per step. */
export function* peopleIn<Person>(
  set: PeopleSet,
  people: readonly Person[],
  hashed: readonly (readonly PersonKey[])[],
): Steps<Person[]> {
  const found: Person[] = [];
  for (const [at, person] of people.entries()) {
    if (set.has(hashed[at] ?? [])) found.push(person);
    yield;
  }
  return found;
}

/** Reads what `writePeople` wrote. */
export function* readPeople(text: string): Steps<PeopleSet> {
  const people = createPeopleSet();
  for (const line of text.split("\n")) {
    const keys = line.split(" ").filter((word) => word !== "");
    people.add(keys.map((word) => ({ key: word.slice(0, KEY_LENGTH), code: word.slice(KEY_LENGTH) || null })));
    yield;
  }
  return people;
}
