// What the tests of submissions ask and send.
import type { Sandbox } from "../../sandbox/src/sandbox.ts";
import type { GatewayAddress } from "../support/gateway.ts";
import { until } from "../support/until.ts";

export interface Submission {
  id: string;
  idempotencyKey: string;
  status: string;
  taskId: string | null;
  matchedBy: string | null;
  task: { taskId: string; name: string } | null;
}

export const FIELDS = "id idempotencyKey status taskId matchedBy task { taskId name }";

export const MUTATION = `mutation($input: CreateTaskInput!) {
  createTask(input: $input) { replayed submission { ${FIELDS} } errors { code path message } } }`;

export interface Payload {
  replayed: boolean;
  submission: Submission | null;
  errors: { code: string; path: string[]; message: string }[];
}

let made = 0;

export function taskInput(sandbox: Sandbox, own: Record<string, unknown> = {}): Record<string, unknown> {
  return taskInputFor(sandbox.control.state().assistants[0]?.id, own);
}

/** Nothing dials it by itself. */
export function taskInputFor(assistantId: string | undefined, own: Record<string, unknown> = {}) {
  made += 1;
  return {
    idempotencyKey: `key-${made}`,
    name: `Task ${made}`,
    assistantId,
    option: {
      lineIds: ["60"],
      periods: [["09:00", "18:00"]],
      startDate: "2035-01-01",
      retryCount: 0,
      retryIntervalSeconds: 60,
      numberFileMeta: { number: 0, name: 1, gender: 2, salesPersonName: 3 },
    },
    numbers: [{ number: "+12025550101", extra: { 姓名: "Li" } }, { number: "+12025550102" }],
    ...own,
  };
}

export async function submit(
  gateway: GatewayAddress,
  input: unknown,
  headers?: Record<string, string>,
): Promise<Payload> {
  const { data, errors } = await gateway.ask<{ createTask: Payload }>(MUTATION, { input }, headers);
  if (!data?.createTask) throw new Error(`no payload: ${JSON.stringify(errors)}`);
  return data.createTask;
}

export async function submissionOf(gateway: GatewayAddress, id: string): Promise<Submission | null> {
  const query = `query($id: ID!) { taskSubmission(id: $id) { ${FIELDS} } }`;
  return (await gateway.ask<{ taskSubmission: Submission | null }>(query, { id })).data?.taskSubmission ?? null;
}

export const statusIs = (gateway: GatewayAddress, id: string, status: string): Promise<Submission> =>
  until(async () => {
    const found = await submissionOf(gateway, id);
    return found?.status === status ? found : null;
  });

/** The service's own truth: the id of its newest task. */
export function newestTask(sandbox: Sandbox): string {
  const ids = [...new Set(sandbox.control.seed({ tasks: [{ name: "marker" }] }).taskIds)].map(BigInt);
  return String((ids[0] ?? 0n) - 1n);
}
