// The port of the places that get files: a folder or a bucket.
import type { Attempt } from "../deliverer.ts";
import type { Destination } from "../destinationFile.ts";

export type FilesDestination = Extract<Destination, { kind: "folder" | "bucket" }>;

/** All members reject with a TargetError where the place does not do what is asked, and with the signal's reason when that aborts. */
export interface FileTarget extends AsyncDisposable {
  /**
   * Resolves with true when a file with these bytes is there, durably and whole, under a name that nothing had before. False: something has this
   * name already, and stays as it is. After a rejection it may be there or not.
   */
  put(name: string, bytes: Uint8Array, signal: AbortSignal): Promise<boolean>;
  /** The bytes under a name. Null: nothing has it. */
  get(name: string, signal: AbortSignal): Promise<Buffer | null>;
  /** Shows that files can be put there, and that none is overwritten. */
  test(signal: AbortSignal): Promise<void>;
}

export interface TargetProblem {
  status: number | null;
  /** Not before this, if it was asked for. */
  retryAfterMs: number | null;
}

/** The message goes to people: it says what is wrong, without a secret. */
export class TargetError extends Error {
  override readonly name = "TargetError";
  readonly problem: TargetProblem;
  constructor(message: string, problem: TargetProblem = { status: null, retryAfterMs: null }) {
    super(message);
    this.problem = problem;
  }
}

/** Throws what is no TargetError. */
export function attemptOf(error: unknown): Extract<Attempt, { outcome: "failed" }> {
  if (!(error instanceof TargetError)) throw error;
  return { outcome: "failed", text: error.message, isOwn: false, ...error.problem };
}
