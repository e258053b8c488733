// Decides whether an operation may run: by the viewer's scopes, the length of lists of ids, and LOG_BUDGET. It counts the requests for
// QUERY_BUDGET, which admission.ts compares together with those for checks.
import { GraphQLError, type ValidatedExecutionArgs } from "graphql";
import type { Viewer } from "../../auth/scopes.ts";
import { findDenied } from "./authorize.ts";
import { costOf, type Cost } from "./cost.ts";
import { TOO_MANY_IDS, VARIABLE_LIMITS } from "../documents/variableLimits.ts";
import type { ListUse } from "../../loaders/checkReserve.ts";
import type { GraphqlErrors } from "../graphqlErrors.ts";

export interface Decision {
  /** Null: the operation may run, if QUERY_BUDGET has room for its requests. */
  refusal: GraphQLError | null;
  /** Requests to the service at worst; 0 if the operation is refused before they are counted. */
  requests: number;
  /** Rows of the database at worst. */
  rows: number;
  /** Null: it loads no lists of calls. */
  lists: ListUse | null;
}

export interface OperationPolicyOptions {
  protocolErrors: GraphqlErrors;
  /** Maximum of rows of the database for one operation, at worst. */
  logBudget: number;
}

export function createOperationPolicy({ protocolErrors, logBudget }: OperationPolicyOptions) {
  function errorOverLimit({ rows, longestIds }: Cost): GraphQLError | null {
    if (longestIds > VARIABLE_LIMITS.ids) return protocolErrors.tooComplex(TOO_MANY_IDS);
    return rows > logBudget ? protocolErrors.tooManyRows(rows, logBudget) : null;
  }

  return (operation: ValidatedExecutionArgs, viewer: Viewer): Decision => {
    try {
      const denied = findDenied(operation, viewer);
      if (denied) return refused(protocolErrors.forbidden(denied));
      const cost = costOf(operation);
      return { refusal: errorOverLimit(cost), requests: cost.requests, rows: cost.rows, lists: cost.lists };
    } catch (error) {
      // A variable is null where its argument is not: the argument's default allowed its type, so coercion passed.
      if (error instanceof GraphQLError) return refused(protocolErrors.inputRefused(error));
      throw error;
    }
  };
}

const refused = (refusal: GraphQLError): Decision => ({ refusal, requests: 0, rows: 0, lists: null });
