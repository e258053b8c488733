// Rules of arguments that schema types cannot express (docs/queries.md). Each throws before anything is requested or read.
import { CodedError } from "../errors.ts";
import { isPositiveId } from "../format/fieldParsers.ts";
import {
  isWholeNumber,
  noPhoneMessages,
  readPhone,
  type LineLabel,
  type NoPhoneReason,
  type PhoneNumber,
} from "../format/readPhone.ts";
import type { Context } from "./context.ts";

/** The largest `first`. */
export const MAX_FIRST = 100;
/** The longest list of ids in the arguments of a field. */
export const MAX_LIST_LENGTH = 100;

/** For data that is loaded in a batch with others'. Throws if the owner may not read the database, or has left. */
export function mayRead({ queryOwner }: Pick<Context, "queryOwner">): void {
  queryOwner.signal.throwIfAborted();
}

export function badInput(message: string): CodedError {
  return new CodedError("BAD_USER_INPUT", message);
}

export function checkFirst(first: number): void {
  if (first >= 1 && first <= MAX_FIRST) return;
  // The message repeats no input: a number may be a phone number.
  throw badInput(`first must be between 1 and ${MAX_FIRST}.`);
}

export function checkUpstreamIds(name: string, ids: readonly string[]): void {
  checkListLength(name, ids);
  if (!ids.every(isPositiveId)) throw badInput(`${name} must be positive integers.`);
}

export function checkUpstreamId(name: string, id: string): void {
  if (!isPositiveId(id)) throw badInput(`${name} must be a positive integer.`);
}

export function checkListLength(name: string, list: readonly unknown[]): void {
  if (list.length <= MAX_LIST_LENGTH) return;
  throw new CodedError(
    "QUERY_TOO_COMPLEX",
    `${name} must have at most ${MAX_LIST_LENGTH} entries, got ${list.length}.`,
  );
}

/** A label as it may be in a query to the service. One without digits and letters might be ignored, and every call be shown. */
const LABEL = /^(?=.*[a-z\d])[+\w\-.()*# ]{1,64}$/i;

/** The phone number or the label of a line (A068) that calls are filtered by. */
export function readPhoneFilter(text: string): PhoneNumber | LineLabel {
  const reading = readPhone(text);
  if (reading.kind === "none") {
    if (MEANT_AS_NUMBER.has(reading.reason)) throw badInput(`phone ${noPhoneMessages[reading.reason]}.`);
  } else if (isWholeNumber(reading) ? !/[\r\n]/.test(text.trim()) : LABEL.test(text.trim())) return reading;
  throw badInput("phone must be a phone number or the label of a line, of at most 64 characters.");
}

const MEANT_AS_NUMBER: ReadonlySet<NoPhoneReason> = new Set(["several", "unclear", "digits", "rounded"]);

const MAX_REASON_LENGTH = 1000;

/** A text for people. Null: there is none. Databases refuse NUL and unpaired surrogates. */
export function readReason(text: string | null | undefined): string | null {
  const reason = text?.trim() ?? "";
  const isText = reason.length <= MAX_REASON_LENGTH && reason.isWellFormed() && !reason.includes("\0");
  if (!isText)
    throw badInput(`reason must have at most ${MAX_REASON_LENGTH} characters of valid Unicode, without NUL.`);
  return reason === "" ? null : reason;
}
