// How many requests an operation needs at most to prove how the service treats its lists. They are set aside before it runs, so that it
// never fails for want of them. Each proof is made once for all lists, and mostly by an earlier operation. A subscription outlives the
// proofs (PROOF_LIFE_MS), so it needs room for all of them at each event.
import type { FilterName } from "../config/variables.ts";
import type { CheckCounts } from "../upstream/requester.ts";
import type { Proof } from "./proof.ts";
import type { Proofs } from "./proofs.ts";
import { FILTER_PROOFS, filterProof } from "./verifyFilter.ts";
import { COUNT_REQUESTS, END_PROOF_REQUESTS, EXACT_TOTALS, LIST_ENDS, MAX_OFFSET } from "./verifyListEnd.ts";
import { SEVERAL_ASSISTANTS } from "./verifySeveralAssistants.ts";
import { SEVERAL_TASKS } from "./verifySeveralTasks.ts";

/** The lists of one operation together, as far as its document and its viewer tell. */
export interface ListUse {
  filters: ReadonlySet<FilterName>;
  /** The most tasks in one filter. */
  taskIds: number;
  /** The most assistants in one filter. */
  assistantIds: number;
}

/** `outlivesProofs`: what is proven now counts as unproven. */
export type CheckReserve = (use: ListUse, outlivesProofs: boolean) => CheckCounts;

export function createCheckReserve(proofs: Proofs): CheckReserve {
  const ofRanges = FILTER_PROOFS.ranges.map((key) => proofs.of(filterProof(key)));
  const ofFilters = new Map(FILTER_PROOFS.others.map((key) => [key, proofs.of(filterProof(key))]));
  const listEnds = proofs.of(LIST_ENDS);
  const exactTotals = proofs.of(EXACT_TOTALS);
  const severalTasks = proofs.of(SEVERAL_TASKS);
  const severalAssistants = proofs.of(SEVERAL_ASSISTANTS);

  return ({ filters, taskIds, assistantIds }, outlivesProofs) => {
    const isOpen = (proof: Proof, size?: number) => outlivesProofs || !proof.isProven(size);
    let filter = 0;
    for (const proof of ofRanges) if (isOpen(proof)) filter += 1;
    for (const name of filters) {
      const proof = ofFilters.get(name);
      if (proof && isOpen(proof)) filter += 1;
    }
    const end = isOpen(listEnds) ? END_PROOF_REQUESTS : 0;
    // Without the first proof, the list of all calls is checked, too.
    const count = isOpen(exactTotals, MAX_OFFSET) ? COUNT_REQUESTS + end : 0;
    const tasks = taskIds > 1 && isOpen(severalTasks, taskIds) ? taskIds : 0;
    const assistants = assistantIds > 1 && isOpen(severalAssistants) ? assistantIds : 0;
    return { filter, end, count, tasks, assistants };
  };
}
