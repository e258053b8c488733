// A service for the correlation's rounds: it makes the tasks it was sent, or not, and tells of their calls as it likes.
// What is true of a submission is what it remembers.
import type { CallEndedEvent } from "../../src/events/callEndedEvent.ts";
import type { CreateTaskOutcome, CreateTaskRequest, TaskRecord, Upstream } from "../../src/upstream/upstream.ts";
import { callEnded } from "../events/callEnded.ts";
import { task } from "../resolvers/world.ts";

export interface MadeTask {
  taskId: string;
  record: TaskRecord;
  request: CreateTaskRequest;
}

export interface RoundService {
  upstream: Pick<Upstream, "writeTask" | "createTask" | "getTask">;
  /** By its id. */
  made: Map<string, MadeTask>;
  /** What it does with the next creation: whether the task is made, and what is answered. */
  next: { makes: boolean; outcome: CreateTaskOutcome };
  /** Makes a task that was not sent through the gateway. */
  makeElsewhere(request: CreateTaskRequest): MadeTask;
  /** An ended call of the task; `by` the webhook with its variables, or found in the call log without them. */
  call(made: MadeTask, by: "WEBHOOK" | "RECONCILED"): CallEndedEvent;
}

export function roundService(random: () => number, clock: () => number): RoundService {
  const written = new Map<Buffer, CreateTaskRequest>();
  const made = new Map<string, MadeTask>();
  let calls = 0;

  function make(request: CreateTaskRequest): MadeTask {
    const taskId = String(1 + Math.floor(random() * 1e12));
    const record = task({
      taskId,
      name: request.name,
      total: request.numbers.length,
      createdAt: new Date(Math.floor(clock() / 1000) * 1000).toISOString(),
      assistantRef: { assistantId: request.assistantId, versionId: "1" },
    });
    const one = { taskId, record, request };
    made.set(taskId, one);
    return one;
  }

  const service: RoundService = {
    made,
    next: { makes: true, outcome: { kind: "accepted" } },
    upstream: {
      *writeTask(request) {
        const body = Buffer.from(request.name);
        written.set(body, request);
        yield;
        return body;
      },
      async createTask(body) {
        const { makes, outcome } = service.next;
        const request = written.get(body);
        if (makes && request) make(request);
        return outcome;
      },
      getTask: async (taskId) => made.get(taskId)?.record ?? null,
    },
    makeElsewhere: make,
    call({ taskId, request }, by) {
      calls += 1;
      const number = request.numbers[Math.floor(random() * request.numbers.length)];
      const extra = by === "WEBHOOK" ? { ...number?.extra } : null;
      const cursor = String(calls).padStart(9, "0");
      const receivedAt = new Date(clock()).toISOString();
      return { ...callEnded({ sessionId: `c${calls}`, taskId, extra }), cursor, revision: 1, source: by, receivedAt };
    },
  };
  return service;
}
