// Why a recording could not be fetched, in our own words: neither the host's nor the link's text is kept.

/** What may help: nothing; another try soon, for it may be a passing state; another try for a day. */
export type RetryPolicy = "none" | "little" | "good";

export class FetchFailure extends Error {
  override readonly name = "FetchFailure";
  readonly retry: RetryPolicy;
  constructor(message: string, hope: RetryPolicy) {
    super(message);
    this.retry = hope;
  }
}
