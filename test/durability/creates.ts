// Creates tasks through gateways one after the other, each with one key until it has a submission, as a client does.
import type { Sandbox } from "../../sandbox/src/sandbox.ts";
import { taskInputFor } from "../e2e/submitting.ts";
import type { GatewayAddress } from "../support/gateway.ts";
import { until } from "../support/until.ts";

export interface Creates {
  /** The names of the tasks that have a submission. */
  submitted: readonly string[];
  /** The names of the tasks that the service was told to create, one for each request. */
  sent(): string[];
  /** Resolves when the last task has its submission. */
  stop(): Promise<void>;
}

const CREATE = `mutation($input: CreateTaskInput!) {
  createTask(input: $input) { submission { status } errors { code } } }`;

interface Payload {
  createTask: { submission: { status: string } | null; errors: { code: string }[] } | null;
}

export interface CreatesOptions {
  /** Called for each request, because a gateway may have been replaced. */
  gateway: () => GatewayAddress;
  sandbox: Sandbox;
  /** Whether the next task may be created, after as many. */
  mayCreate: (made: number) => boolean;
}

export function startCreates({ gateway, sandbox, mayCreate }: CreatesOptions): Creates {
  const assistantId = sandbox.control.state().assistants[0]?.id;
  const submitted: string[] = [];
  const stopped = new AbortController();

  async function hasSubmission(input: unknown): Promise<boolean> {
    const answer = await gateway()
      .ask<Payload>(CREATE, { input })
      .catch(() => null);
    const payload = answer?.data?.createTask;
    if (payload?.submission && payload.submission.status !== "PENDING") return true;
    const codes = (answer?.errors ?? []).map(({ extensions }) => String(extensions["code"]));
    const refusals = [...codes, ...(payload?.errors ?? []).map(({ code }) => code)];
    const permanent = refusals.find((code) => code !== "STORE_UNAVAILABLE" && code !== "UNAVAILABLE");
    if (permanent !== undefined) throw new Error(`A task was refused with ${permanent}.`);
    return false;
  }
  async function create(): Promise<void> {
    for (let made = 0; ; made += 1) {
      await until(() => stopped.signal.aborted || mayCreate(made));
      if (stopped.signal.aborted) return;
      const name = `rolling-${made}`;
      const input = taskInputFor(assistantId, { idempotencyKey: name, name });
      await until(() => hasSubmission(input));
      submitted.push(name);
    }
  }
  const creating = create();
  // stop() reports a failure; until then it must not end the process as an unhandled rejection.
  creating.catch(() => undefined);
  return {
    submitted,
    sent: () =>
      sandbox.control
        .requests()
        .filter(({ method }) => method === "POST")
        .map(({ body }) => String((body as { name?: unknown }).name)),
    async stop() {
      stopped.abort();
      await creating;
    },
  };
}
