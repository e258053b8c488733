// The spans of what the gateway asks of the service: one for each page or task that a caller loads, and below it one for each
// request that is sent. A request that several callers share belongs to the first of them.
import type { TaskSender } from "../upstream/sendCreateTask.ts";
import type { Transport } from "../upstream/transport.ts";
import type { Requester } from "../upstream/requester.ts";
import type { ServiceResponse } from "../upstream/serviceResponse.ts";
import type { Upstream } from "../upstream/upstream.ts";
import { endAfter, failureOf, traceparentOf, type Spans } from "./spans.ts";

export function traceUpstream(upstream: Upstream, spans: Spans): Upstream {
  /** `size`: the tasks that one request covers. */
  function load<T>(name: string, size: number, requester: Requester | undefined, start: () => Promise<T>): Promise<T> {
    const span = spans.isRecorded() ? spans.startPart(name, { attributes: { "switchboard.batch.size": size } }) : null;
    if (!span) return start();
    const { cached, shared } = { ...requester?.usage };
    const loading = span.run(start);
    const usage = requester?.usage;
    const isCached = usage?.cached !== cached;
    const isShared = usage?.shared !== shared;
    span.set({ "switchboard.answer": isCached ? "cache" : isShared ? "request of another caller" : "own request" });
    return endAfter(span, loading);
  }
  return {
    ...upstream,
    listCallLogs: (query, requester) =>
      load("load calls", Math.max(1, query.taskIds.length), requester, () => upstream.listCallLogs(query, requester)),
    getTask: (taskId, requester) => load("load task", 1, requester, () => upstream.getTask(taskId, requester)),
    createTask: (body) => load("create task", 1, undefined, () => upstream.createTask(body)),
  };
}

/** `url`: the base address of the service. */
export function traceTransport(transport: Transport, url: string, spans: Spans): Transport {
  const server = serverOf(url);
  return {
    ...transport,
    send(path, request) {
      if (!spans.isRecorded()) return transport.send(path, request);
      const template = templateOf(path);
      const span = spans.startPart(`GET ${template}`, {
        kind: "CLIENT",
        attributes: { ...server, "http.request.method": "GET", "url.template": template },
      });
      if (!span) return transport.send(path, request);
      const traced = {
        ...request,
        traceparent: traceparentOf(span.context),
        onStale: spans.bind(() => {
          span.end("connection_closed");
          request.onStale();
        }),
        onOutcome: spans.bind((outcome: ServiceResponse | Error) => {
          if (outcome instanceof Error) span.end(failureOf(outcome));
          else {
            span.set({ "http.response.status_code": outcome.status });
            span.end(outcome.status >= 400 ? String(outcome.status) : undefined);
          }
          request.onOutcome(outcome);
        }),
      };
      // A connection that it opens will be kept for other requests.
      const abort = spans.outside(() => transport.send(path, traced));
      return () => {
        span.end("cancelled");
        abort();
      };
    },
  };
}

export function traceTaskSender(sender: TaskSender, url: string, spans: Spans): TaskSender {
  const server = serverOf(url);
  return {
    ...sender,
    async send(body) {
      const span = spans.startPart("POST /openapi/tasks", {
        kind: "CLIENT",
        attributes: { ...server, "http.request.method": "POST", "url.template": "/openapi/tasks" },
      });
      if (!span) return sender.send(body, null);
      const outcome = await sender.send(body, traceparentOf(span.context));
      span.set({ "switchboard.outcome": outcome.kind });
      span.end(outcome.kind === "accepted" ? undefined : outcome.kind);
      return outcome;
    },
  };
}

function serverOf(url: string) {
  const { hostname, port, protocol } = new URL(url);
  return { "server.address": hostname, "server.port": Number(port || (protocol === "https:" ? 443 : 80)) };
}

/** Neither the query nor a task's ID. */
function templateOf(path: string): string {
  return path.startsWith("/openapi/tasks/") ? "/openapi/tasks/{taskID}" : "/openapi/calllog";
}
