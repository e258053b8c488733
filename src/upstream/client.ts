// The service's three endpoints behind the port of upstream.ts. It knows paths and shapes; how requests travel is
// transport.ts, and a task's creation has a way of its own, createTask.ts.
import { parseExact } from "../dialect/exactJson.ts";
import type { Log } from "../log.ts";
import { bodyOf } from "./answer.ts";
import { createAsker } from "./asker.ts";
import { createTaskSender } from "./createTask.ts";
import { readCallLogPage } from "./models/callLogPage.ts";
import { parseTask, readTask } from "./models/task.ts";
import { callLogQueryString, type AssistantIdsStyle } from "./query.ts";
import { createTransport } from "./transport.ts";
import type { CallLogPage, CallLogQuery, TaskRecord, Upstream } from "./upstream.ts";

export interface UpstreamOptions {
  /** The base address; it may have a path of its own, and a slash at its end. */
  url: string;
  token: string;
  /** IANA zone of the service's wall clock. */
  timeZone: string;
  /** Deadline of one request, to the last byte of its answer. */
  timeoutMs: number;
  assistantIds: AssistantIdsStyle;
  log: Log;
}

/** Disposing it ends the reads under way, and waits for creations under way: what became of them must be known. */
export function createUpstream(options: UpstreamOptions): Upstream {
  const { timeZone } = options;
  const transport = createTransport(options);
  const sender = createTaskSender(options);

  async function listCallLogs(query: CallLogQuery, asker = createAsker()): Promise<CallLogPage> {
    const answer = await transport.get(`/openapi/calllog?${callLogQueryString(query, options)}`, asker.signal);
    return readCallLogPage(bodyOf(answer, parseExact), timeZone);
  }

  async function getTask(taskId: string, asker = createAsker()): Promise<TaskRecord | null> {
    const id = decimal(taskId);
    // 0 is how the service says "no task" (section 6, rule 1), so it is never asked for.
    if (id === "0") return null;
    const answer = await transport.get(`/openapi/tasks/${encodeURIComponent(id)}`, asker.signal);
    return answer.status === 404 ? null : readTask(bodyOf(answer, parseTask), id, timeZone);
  }

  return {
    listCallLogs,
    getTask,
    createTask: (request) => sender.send(request),
    async [Symbol.asyncDispose]() {
      await Promise.all([transport[Symbol.asyncDispose](), sender[Symbol.asyncDispose]()]);
    },
  };
}

/** Digits only, for an id becomes part of a path. Zeros before the number are dropped, as the service would. */
function decimal(taskId: string): string {
  if (!/^\d+$/.test(taskId)) throw new TypeError("A task's id is written with decimal digits only.");
  return taskId.replace(/^0+(?=\d)/, "");
}
