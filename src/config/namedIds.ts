// The assistants and lines that the operator names for the lists of a form: KNOWN_ASSISTANTS and KNOWN_LINES.
import { z } from "zod";
import type { HangUpOutcome } from "./hangUpOutcomes.ts";
import { isPositiveId } from "../format/fieldParsers.ts";

export interface NamedId {
  /** The service's ID. */
  id: string;
  name: string;
}

export interface NamedConfig {
  assistants: readonly NamedId[];
  lines: readonly NamedId[];
  /** What hang-up reasons of the service mean. */
  hangUps: readonly HangUpOutcome[];
}

const MAX_NAMED = 100;

/** Pairs of an ID and a name, separated by commas. A name may have `=`, but no comma. */
export const namedIds = z
  .string()
  .transform((text) => text.split(",").map(readPair))
  .refine(
    (pairs) => pairs.every(({ id, name }) => isPositiveId(id) && name !== ""),
    "must be id=name pairs separated by commas, such as 60=Berlin, 61=Munich, with positive whole numbers as ids",
  )
  .refine((pairs) => new Set(pairs.map(({ id }) => id)).size === pairs.length, "must name each id once")
  .refine((pairs) => pairs.length <= MAX_NAMED, `must have at most ${MAX_NAMED} pairs`);

function readPair(pair: string): NamedId {
  const [id = "", ...name] = pair.split("=");
  return { id: id.trim(), name: name.join("=").trim() };
}
