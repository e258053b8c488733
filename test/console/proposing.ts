// Proposes tasks, and decides on them, as other clients of the gateway do.
import type { TestGateway } from "../support/gateway.ts";
import { bearer } from "../support/keys.ts";

const PROPOSE = "mutation($input: CreateTaskInput!) { createTask(input: $input) { submission { id } } }";
const DECISIONS = {
  approve: "mutation($id: ID!) { approveTask(id: $id) { submission { status } } }",
  decline: `mutation($id: ID!) { declineTask(id: $id, reason: "Not today") { submission { status } } }`,
};
export type Decision = keyof typeof DECISIONS;

/** Resolves with the submission's id. */
export async function proposeTo(
  gateway: TestGateway,
  name: string,
  viewer = "proposer",
  own: object = {},
): Promise<string> {
  const input = {
    idempotencyKey: name,
    name,
    assistantId: "11",
    option: {
      lineIds: ["61"],
      startDate: "2035-01-01",
      periods: [["09:00", "18:00"]],
      retryCount: 1,
      retryIntervalSeconds: 600,
      numberFileMeta: { number: 0, name: 1, gender: -1, salesPersonName: -1 },
    },
    numbers: [{ number: "+12025550141", extra: { 姓名: "Li" } }, { number: "+12025550142" }],
    ...own,
  };
  const { data } = await gateway.ask<{ createTask: { submission: { id: string } | null } }>(
    PROPOSE,
    { input },
    { authorization: bearer(viewer) },
  );
  const { submission } = data?.createTask ?? {};
  if (!submission) throw new Error("The task was not proposed.");
  return submission.id;
}

export const decideAt = (gateway: TestGateway, how: Decision, id: string, viewer: string) =>
  gateway.ask(DECISIONS[how], { id }, { authorization: bearer(viewer) });
