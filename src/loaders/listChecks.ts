// What a process knows of how the service answers lists: what is set (the doctor finds it out), and what was seen.
import type { FilterName } from "../config/listConfig.ts";
import { createCheckAllowance, type CheckAllowance } from "./checkRequests.ts";
import { createFilterVerifier, type FilterVerifier } from "./verifyFilter.ts";
import type { RangeRules } from "./filterIgnored.ts";
import { createListEndVerifier, type ListEndVerifier } from "./verifyListEnd.ts";
import { createSeveralTasksVerifier, type SeveralTasksVerifier } from "./verifySeveralTasks.ts";

export interface ListChecks {
  range: RangeRules;
  /** Filters that the service ignores (UPSTREAM_IGNORES): a query with one of them is refused. */
  ignores: ReadonlySet<FilterName>;
  listEnd: ListEndVerifier;
  filters: FilterVerifier;
  severalTasks: SeveralTasksVerifier;
  allowance: CheckAllowance;
}

export interface ListChecksOptions extends RangeRules {
  ignores: readonly FilterName[];
}

export function createListChecks({ ignores, ...range }: ListChecksOptions): ListChecks {
  return {
    range,
    ignores: new Set(ignores),
    listEnd: createListEndVerifier(),
    filters: createFilterVerifier(range),
    severalTasks: createSeveralTasksVerifier(),
    allowance: createCheckAllowance(),
  };
}
