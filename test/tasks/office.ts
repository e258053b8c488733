// The desk at which tasks are submitted, over a real database and a service that answers as a test says.
import { createSignal } from "../../src/util/signal.ts";
import { createLog } from "../../src/log.ts";
import type { Store } from "../../src/store/store.ts";
import type { SubmissionStore } from "../../src/store/tasks/submissionStore.ts";
import { createSubmissionService } from "../../src/tasks/submissionService.ts";
import { createSubmitTask } from "../../src/tasks/submitTask.ts";
import type { CreateTaskOutcome, CreateTaskRequest } from "../../src/upstream/upstream.ts";
import { tempStore } from "../store/tempStore.ts";
import { createTimeSlices } from "../../src/util/timeSlices.ts";

export type Send = (request: CreateTaskRequest) => Promise<CreateTaskOutcome> | CreateTaskOutcome;

export const ACCEPTED: CreateTaskOutcome = { kind: "accepted" };
export const UNAVAILABLE: CreateTaskOutcome = { kind: "unavailable", retryAfter: undefined };

export const now = { ms: Date.parse("2026-11-20T09:30:00.000Z") };

export async function office(
  send: Send = () => ACCEPTED,
  broken: (real: SubmissionStore) => Partial<SubmissionStore> = () => ({}),
  store: Pick<Store, "submissions" | "leases"> | null = null,
) {
  const { submissions: real, leases } = store ?? (await tempStore());
  const submissions = { ...real, ...broken(real) };
  const changes = createSignal();
  const written = new Map<Buffer, CreateTaskRequest>();
  const sent: CreateTaskRequest[] = [];
  const lines: string[] = [];
  const log = createLog({ level: "debug", secrets: [], write: (line) => lines.push(line) });
  const desk = createSubmissionService({ submissions, leases, changes, correlates: true, log, pollMs: 50 });
  const submit = createSubmitTask({
    upstream: {
      *writeTask(request) {
        const body = Buffer.from(request.name);
        yield;
        written.set(body, request);
        return body;
      },
      async createTask(body) {
        const request = written.get(body);
        if (!request) throw new Error("The body was not written by the service's writer.");
        sent.push(request);
        return send(request);
      },
    },
    submissions,
    doNotCall: { find: async () => [] },
    submissionService: desk,
    tokens: null,
    changes,
    pendingTimeoutMs: 60_000,
    slices: createTimeSlices(),
    clock: () => now.ms,
    log,
  });
  return { submit, written, sent, lines, submissions: real, desk };
}
