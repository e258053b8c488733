// Runs a tool: its operation through the pipeline of every transport, with the rights of the agent's viewer.
import type { ExecutionResult } from "graphql";
import type { Grant } from "../auth/grant.ts";
import type { OwnRequests } from "../graphql/documents/ownRequests.ts";
import type { OperationPipeline, OperationResult } from "../graphql/operation.ts";
import { createErrorPublisher } from "../graphql/publishError.ts";
import type { Logger } from "../logger.ts";
import { runForAgent } from "../util/agentCall.ts";
import { CHECKPOINT_MS, collectItems, readWaiting, WAITING, type Waiting } from "./collectItems.ts";
import type { AgentTool } from "./readTools.ts";
import { readArguments } from "./toolArguments.ts";
import { agentError, answerOf, failure, type ToolAnswer } from "./toolResult.ts";

export interface RunToolDeps {
  pipeline: Pick<OperationPipeline, "prepare">;
  trust: OwnRequests["trust"];
  /** Aborts when the gateway stops. */
  stopping: AbortSignal;
  log: Logger;
}

export interface ToolCall {
  tool: AgentTool;
  args: Record<string, unknown>;
  grant: Grant;
  /** Aborts when the client has left, or has cancelled the call. */
  signal: AbortSignal;
  /** As the client names itself. Null: it does not. */
  client: string | null;
  /** The console's page of proposals. Null: the gateway serves no console. */
  approveAt: string | null;
}

/** Never rejects. */
export type RunTool = (call: ToolCall) => Promise<ToolAnswer>;

export function createRunTool({ pipeline, trust, stopping, log }: RunToolDeps): RunTool {
  async function run({ tool, args, grant, signal, client, approveAt }: ToolCall): Promise<ToolAnswer> {
    const { document, inputSchema, proposalPath, followsLog } = tool;
    const read = readArguments(args, inputSchema);
    if (typeof read === "string") return failure([agentError("BAD_USER_INPUT", read)]);
    const isCollected = document.operation.operation === "subscription";
    const waiting = isCollected ? readWaiting(read) : null;
    if (isCollected && !waiting)
      return failure([agentError("BAD_USER_INPUT", "waitSeconds must be from 1 to 25, and maxItems from 1 to 100.")]);
    const request = trust({ query: document.text, variables: variablesOf(read, isCollected) });
    const operation = pipeline.prepare(request, grant);
    if ("errors" in operation) return answerOf(operation);
    const places = isCollected ? { lastEventId: null, checkpointMs: CHECKPOINT_MS } : undefined;
    const call = { tool: document.name, client };
    const result = await runForAgent(call, () => operation.run(() => signal, undefined, places));
    if (isStream(result))
      return answerOfStream(result, waiting && { ...waiting, followsLog }, AbortSignal.any([signal, stopping]));
    return answerOf(result, proposalPath ? { page: approveAt, proposalPath } : null);
  }

  async function answerOfStream(
    results: AsyncIterableIterator<ExecutionResult>,
    waiting: (Waiting & { followsLog: boolean }) | null,
    signal: AbortSignal,
  ): Promise<ToolAnswer> {
    if (!waiting) return failure([agentError("INTERNAL", "The tool answered with a stream.")]);
    const { data, errors } = await collectItems(results, waiting, signal);
    if (waiting.followsLog && data.next === null && errors.length === 0) return failure([NOT_READ]);
    const isNothing = data.items.length === 0 && errors.length > 0;
    return answerOf({ data: isNothing ? null : data, ...(errors.length > 0 && { errors }) });
  }

  return (call) => run(call).catch((error: unknown) => answerOf({ errors: [createErrorPublisher(log)(error)] }));
}

const NOT_READ = agentError(
  "STORE_UNAVAILABLE",
  "The log was not read in time, or the gateway stops. A call with the same arguments misses nothing, if it has after.",
);

function isStream(result: OperationResult): result is AsyncIterableIterator<ExecutionResult> {
  return Symbol.asyncIterator in result;
}

function variablesOf(args: Record<string, unknown>, isCollected: boolean): Record<string, unknown> {
  const variables = Object.entries(args).filter(([name]) => !isCollected || !Object.hasOwn(WAITING, name));
  return Object.fromEntries(variables);
}
