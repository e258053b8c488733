// What is kept of an attempt: when it was made, its status, and a text that is cut and masked.
import { instantOf } from "../format/instant.ts";
import type { Answer } from "../store/destinations/lastAnswer.ts";
import type { Attempt } from "./deliverer.ts";

export interface AnswerDeps {
  /** Masks phone numbers. */
  mask: (text: string) => string;
  clock: () => number;
}

const MAX_LENGTH = 300;

export function answerOf(attempt: Attempt, { mask, clock }: AnswerDeps): Answer {
  const at = instantOf(clock());
  if (attempt.outcome === "missing") return { at, status: null, text: attempt.why };
  const text = attempt.outcome === "taken" ? null : attempt.text;
  if (text === null) return { at, status: attempt.status, text };
  // Masked first: of a number that is cut at the border, the mask would not know the rest.
  const masked = mask(text.toWellFormed().replaceAll("\0", ""));
  return { at, status: attempt.status, text: masked.slice(0, MAX_LENGTH).toWellFormed() };
}
