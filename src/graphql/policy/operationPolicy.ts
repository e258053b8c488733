// What stands against an operation for a viewer before it runs, and what it may read: scopes, the size of lists, and both
// budgets.
import { GraphQLError, type ValidatedExecutionArgs } from "graphql";
import type { Viewer } from "../../auth/scopes.ts";
import { findDenied } from "./authorize.ts";
import { costOf, type Cost } from "./cost.ts";
import { LIMITS } from "../documents/documentLimits.ts";
import type { GraphqlErrors } from "../graphqlErrors.ts";

export interface Decision {
  /** Null: nothing stands against it. */
  refusal: GraphQLError | null;
  /** To the service, at worst; 0 where it is refused before they are counted. */
  requests: number;
  /** Of the database, at worst. */
  rows: number;
}

export interface OperationPolicyOptions {
  protocolErrors: GraphqlErrors;
  /** Requests to the service that one operation may need at worst. */
  queryBudget: number;
  /** Rows of the database that one operation may read at worst. */
  logBudget: number;
}

/** What the document asks for, against what this viewer and what anybody may. */
export function createOperationPolicy({ protocolErrors, queryBudget, logBudget }: OperationPolicyOptions) {
  function excessOf({ requests, rows, longestIds }: Cost): GraphQLError | null {
    if (longestIds > LIMITS.ids) return protocolErrors.tooComplex(`A list has more than ${LIMITS.ids} ids.`);
    if (requests > queryBudget) return protocolErrors.tooCostly(requests, queryBudget);
    return rows > logBudget ? protocolErrors.tooManyRows(rows, logBudget) : null;
  }

  return (operation: ValidatedExecutionArgs, viewer: Viewer): Decision => {
    try {
      const denied = findDenied(operation, viewer);
      if (denied) return refused(protocolErrors.forbidden(denied));
      const cost = costOf(operation);
      return { refusal: excessOf(cost), requests: cost.requests, rows: cost.rows };
    } catch (error) {
      // A variable that may be null stands where none may: known only now, for an argument's default allowed it.
      if (error instanceof GraphQLError) return refused(protocolErrors.inputRefused(error));
      throw error;
    }
  };
}

const refused = (refusal: GraphQLError): Decision => ({ refusal, requests: 0, rows: 0 });
