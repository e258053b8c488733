// The limits of a viewer, which decide inside the transaction that counts a submission.
import type { Kysely } from "kysely";
import type { Tables } from "../tables.ts";
import { countUsage, type Usage, type UsagePeriods } from "./usageStore.ts";

export interface Quota {
  periods: UsagePeriods;
  /** Whether the viewer's limits allow what it has used with this submission. */
  allows: (usage: Usage) => boolean;
}

/** Rolls the transaction of a claim back. */
export class QuotaRefusal extends Error {
  readonly usage: Usage;

  constructor(usage: Usage) {
    super("The viewer's limits do not allow the submission.");
    this.usage = usage;
  }
}

/** Counts a submission. Throws a QuotaRefusal if its viewer's limits do not allow it. */
export async function countWithin(
  trx: Kysely<Tables>,
  submission: { viewer: string; numberCount: number },
  { periods, allows }: Quota,
): Promise<void> {
  const usage = await countUsage(trx, submission, periods);
  if (!allows(usage)) throw new QuotaRefusal(usage);
}
