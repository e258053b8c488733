// A failure that ends a start. Every other failure of a start is waited for (waiting.ts).
import { exitCodes } from "./exitCodes.ts";

/** No waiting mends it, or the start has waited long enough. Its message is what a user reads. */
export class FinalError extends Error {
  override readonly name: string = "FinalError";
  /** What the command ends with. */
  readonly exitCode: number;
  constructor(message: string, options: ErrorOptions & { exitCode?: number } = {}) {
    super(message, options);
    this.exitCode = options.exitCode ?? exitCodes.configuration;
  }
}
