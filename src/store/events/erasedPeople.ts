// The names by which an erased number is known, so that an import does not bring its earlier calls back. The database keeps them as keyed
// hashes (erasedKeys.ts).
import { readPhone } from "../../format/readPhone.ts";
import { possiblePeople } from "../../format/samePerson.ts";

/** All that an erased number may be sought by. Empty for a text that is no phone number. */
export const namesOfErased = (number: string): string[] =>
  namesOf(number, ({ key, code }) => [`any ${key}`, `${code ?? "none"} ${key}`]);

/** Where one of two numbers does not say its country, they count as the same: an erasure finds too much rather than too little. */
export const namesToSeek = (number: string): string[] =>
  namesOf(number, ({ key, code }) => (code === null ? [`any ${key}`] : [`none ${key}`, `${code} ${key}`]));

type Person = ReturnType<typeof possiblePeople>[number];

function namesOf(number: string, namesOfPerson: (person: Person) => string[]): string[] {
  const reading = readPhone(number);
  if (reading.kind !== "number") return [];
  // Nobody can be erased by an extension: all calls of the number go.
  const people = possiblePeople({ ...reading, extension: null });
  return [...new Set(people.flatMap(namesOfPerson))];
}
