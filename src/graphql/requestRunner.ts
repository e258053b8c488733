// Runs a checked query or mutation: in its place among the viewer's operations, after its rows were charged and its long lists were
// coerced in slices. pipeline.ts has checked it.
import type { GraphQLError } from "graphql";
import type { FloodLog } from "../auth/floodLog.ts";
import type { Grant } from "../auth/grant.ts";
import type { Viewer } from "../auth/scopes.ts";
import { CodedError } from "../errors.ts";
import { queryOwnerFor } from "../store/scheduling/queryOwner.ts";
import type { RequestAllowance, Requester } from "../upstream/requester.ts";
import type { TimeSlices } from "../util/timeSlices.ts";
import type { AnswerSources } from "./answerSources.ts";
import type { CheckedRequest } from "./checkRequest.ts";
import type { ClientSignal } from "./clientSignal.ts";
import { coerceLongLists } from "./documents/variableLimits.ts";
import type { OpenScope } from "./executionScope.ts";
import { executeRequest } from "./executor/answerInParts.ts";
import type { Executor } from "./executor/executor.ts";
import type { GraphqlErrors } from "./graphqlErrors.ts";
import { createOperationLimit } from "./operationLimit.ts";
import type { PublishError } from "./publishError.ts";

/** A checked request with what its execution needs. */
export interface PreparedOperation extends CheckedRequest {
  grant: Grant;
  /** The viewer of the request. Each event of a subscription uses the viewer that the grant has by then. */
  viewer: Viewer;
  allowance: RequestAllowance;
  rows: number;
  /** Ends the turn of the large body, which long lists hold until they were used. */
  release: (() => void) | undefined;
  publish: PublishError;
  refuse: (errors: readonly GraphQLError[]) => { errors: GraphQLError[] };
}

export interface RequestRunnerDeps {
  /** Creates what calls the service for one execution. */
  createRequester: (
    viewer: Viewer,
    signal: AbortSignal,
    allowance: RequestAllowance,
    responses: AnswerSources["responses"] | null,
  ) => Requester;
  /** Gets the viewers who ask for too much. */
  floodLog: Pick<FloodLog, "refused">;
  introspection: boolean;
  /** Charges the viewer for rows that are about to be read. Throws RATE_LIMITED. */
  chargeRows: (viewer: Viewer, rows: number) => Promise<void>;
  execute: Executor;
  slices: TimeSlices;
}

/** For the life of the process. What it returns does not throw or reject. */
export function createRequestRunner(
  { createRequester, floodLog, introspection, chargeRows, execute, slices }: RequestRunnerDeps,
  openScope: OpenScope,
  protocolErrors: GraphqlErrors,
) {
  const operationLimit = createOperationLimit({ slices, floodLog });

  const notNow = (publish: PublishError) => (error: unknown) => ({
    errors: [publish(error instanceof CodedError ? protocolErrors.rateLimited(error) : error)],
  });

  function runOnce(
    prepared: PreparedOperation,
    clientSignal: ClientSignal,
    inParts: boolean,
    sources: AnswerSources | undefined,
  ) {
    const { operation, longLists, viewer, allowance, rows, publish, refuse, release } = prepared;
    const openScopeOnce = (signal: ClientSignal) => {
      const createOwn = () => createRequester(viewer, signal(), allowance, sources?.responses ?? null);
      return openScope({ viewer, createRequester: createOwn, queryOwnerOf: queryOwnerFor(viewer), sources });
    };
    const executeNow = () =>
      executeRequest(
        {
          operation,
          execute,
          openScope: openScopeOnce,
          clientSignal,
          waitForSlice: () => slices.waitForSlice(viewer.name),
          publish,
        },
        inParts,
      );
    const coerceAndExecute = async () => {
      try {
        const errors = await coerceLongLists(longLists, operation, {
          introspection,
          release,
          run: (steps) => slices.run(viewer.name, steps),
        });
        return errors.length > 0 ? refuse(errors.map(protocolErrors.inputRefused)) : await executeNow();
      } finally {
        release?.();
      }
    };
    const run = longLists.length > 0 ? coerceAndExecute : executeNow;
    if (rows === 0) return run();
    return chargeRows(viewer, rows).then(run, notNow(publish));
  }

  return (
    prepared: PreparedOperation,
    clientSignal: ClientSignal,
    inParts: boolean,
    sources: AnswerSources | undefined,
  ) =>
    operationLimit.run(prepared.viewer.name, clientSignal, {
      work: () => runOnce(prepared, clientSignal, inParts, sources),
      refuse: notNow(prepared.publish),
    });
}
