// Texts that are nearly those of a corpus: with pieces put in, cut out, doubled, or taken from another text.
import { array, constantFrom, nat, oneof, record, string, tuple, type Arbitrary } from "fast-check";

/** What people and programs put into texts of every kind: white space, marks, quotes, dividers, digits of other scripts, half characters. */
const PIECES = [
  ...Array.from(" \n\r\t\0'\"`=;,|/\\:%#*()<>{}[]+-–−._x0159٣１"),
  "\u00a0",
  "\u200b",
  "\u202a",
  "\ufeff",
  "\ud800",
  "e\u0301",
  "null",
  "NaN",
  "-0",
  "1e9",
  ".0",
  "00",
  "\u{1f469}",
];

interface Change {
  at: number;
  piece: string;
  /** Characters that are cut out there. */
  cut: number;
}

const apply = (text: string, { at, piece, cut }: Change) => {
  const place = text.length === 0 ? 0 : at % (text.length + 1);
  return text.slice(0, place) + piece + text.slice(place + cut);
};

/** `pieces`: words of the kind. */
export function mutationsOf(samples: readonly string[], pieces: readonly string[] = []): Arbitrary<string> {
  const sample = constantFrom(...samples);
  const piece = oneof(
    { weight: 8, arbitrary: constantFrom(...PIECES, ...pieces) },
    { weight: 1, arbitrary: string({ unit: "binary", maxLength: 4 }) },
    { weight: 1, arbitrary: sample },
  );
  const change = record({ at: nat(200), piece, cut: oneof({ weight: 3, arbitrary: nat(3) }, nat(40)) });
  return tuple(sample, array(change, { maxLength: 5 })).map(([text, changes]) => changes.reduce(apply, text));
}
