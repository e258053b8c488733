// `switchboard tasks` and `submissions` print what a running gateway knows of tasks. `approve` and `decline` decide on a proposed one.
import { exitCodes } from "../../util/start/exitCodes.ts";
import { createGatewayClient } from "./gatewayClient.ts";
import { exitWhenReaderCloses, printLine } from "../output.ts";

interface Options {
  url?: string | undefined;
}

/** A null stands for a task that the service no longer has. */
const TASKS = `query($after: String) { tasks(first: 100, after: $after) {
  nodes { taskId name status progress total createdAt updatedAt } pageInfo { hasNextPage endCursor } } }`;
const SUBMISSIONS = `query($after: String) { taskSubmissions(first: 100, after: $after) {
  nodes { id status name numberCount leftOutCount submittedAt submittedBy taskId } pageInfo { hasNextPage endCursor } } }`;
const DECISION = `replayed errors { code message } submission { id status name numberCount taskId }`;

interface Decision {
  replayed: boolean;
  errors: { code: string; message: string }[];
  submission: object | null;
}

export const tasksCommand = (options: Options, env: NodeJS.ProcessEnv) => printAll(TASKS, options, env);
export const submissionsCommand = (options: Options, env: NodeJS.ProcessEnv) => printAll(SUBMISSIONS, options, env);

/** One JSON line for each, the newest first. */
async function printAll(query: string, { url }: Options, env: NodeJS.ProcessEnv): Promise<number> {
  exitWhenReaderCloses();
  for await (const node of createGatewayClient(url, env).list<object | null>(query))
    if (node !== null) await printLine(node);
  return exitCodes.success;
}

/** Sends the task, which makes real phone calls. */
export function approveCommand(id: string, options: Options, env: NodeJS.ProcessEnv): Promise<number> {
  return decide(`mutation($id: ID!) { decision: approveTask(id: $id) { ${DECISION} } }`, { id }, options, env);
}

export function declineCommand(
  id: string,
  { reason = null, ...options }: Options & { reason?: string | null | undefined },
  env: NodeJS.ProcessEnv,
): Promise<number> {
  const mutation = `mutation($id: ID!, $reason: String) { decision: declineTask(id: $id, reason: $reason) { ${DECISION} } }`;
  return decide(mutation, { id, reason }, options, env);
}

/** Prints the decision as a JSON line. Resolves with 1 if there is none. It may be repeated. */
async function decide(
  mutation: string,
  variables: Record<string, unknown>,
  { url }: Options,
  env: NodeJS.ProcessEnv,
): Promise<number> {
  const gateway = createGatewayClient(url, env);
  const { decision } = await gateway.query<{ decision: Decision | null }>(mutation, variables);
  await printLine(decision);
  return decision?.submission != null && decision.errors.length === 0 ? exitCodes.success : exitCodes.failure;
}
