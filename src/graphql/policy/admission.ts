// Admits operations: the cached decision of operationPolicy.ts, and room in QUERY_BUDGET for checks of the service's lists. That room
// depends on what is proven about the service by now, so it is not cached.
import type { GraphQLError, ValidatedExecutionArgs } from "graphql";
import type { Viewer } from "../../auth/scopes.ts";
import type { CheckReserve, ListUse } from "../../loaders/checkReserve.ts";
import { NO_CHECKS, sumOfChecks, type RequestAllowance } from "../../upstream/requester.ts";
import { MAX_TASK_IDS } from "../../upstream/upstream.ts";
import { createDecisionCache } from "./decisionCache.ts";
import { createOperationPolicy, type OperationPolicyOptions } from "./operationPolicy.ts";

export interface AdmissionOptions extends OperationPolicyOptions {
  /** Maximum of requests to the service for one operation, at worst. */
  queryBudget: number;
  /** The requests that an operation may need for checks. */
  checkReserve: CheckReserve;
}

export interface Admission {
  /** Null: the operation may run. */
  refusal: GraphQLError | null;
  /** A subscription has it for each event. */
  allowance: RequestAllowance;
  /** Rows of the database at worst. */
  rows: number;
}

export function createAdmission({ checkReserve, ...options }: AdmissionOptions) {
  const { protocolErrors, queryBudget: max } = options;
  const decide = createDecisionCache(createOperationPolicy(options));
  return {
    /** For an operation that was admitted before. */
    refusalOf: (operation: ValidatedExecutionArgs, viewer: Viewer) => decide(operation, viewer).refusal,
    admit(operation: ValidatedExecutionArgs, viewer: Viewer): Admission {
      const { refusal, requests: counted, rows, lists } = decide(operation, viewer);
      const isLasting = operation.operation.operation === "subscription";
      const checks = lists === null ? NO_CHECKS : checkReserve(withAccess(lists, viewer.access), isLasting);
      const allowance = { max, counted, checks };
      const isOver = refusal === null && counted + sumOfChecks(checks) > max;
      return { refusal: isOver ? protocolErrors.tooCostly(allowance, isLasting) : refusal, allowance, rows };
    },
  };
}

/** `access` adds filters to each list. */
function withAccess(lists: ListUse, access: Viewer["access"]): ListUse {
  if (access === null) return lists;
  const all = new Set(lists.filters);
  if (access.assistantIds) all.add("assistantIds");
  const isOfTasks = (access.taskIds ?? access.lineIds ?? access.submittedBy) !== undefined;
  if (isOfTasks) all.add("taskIds");
  return {
    filters: all,
    taskIds: isOfTasks ? MAX_TASK_IDS : lists.taskIds,
    assistantIds: Math.max(lists.assistantIds, access.assistantIds?.length ?? 0),
  };
}
