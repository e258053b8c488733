// The span of each HTTP request that can lead to work: GraphQL, webhooks and recordings.
import type { IncomingMessage } from "node:http";
import { parseTraceParent } from "@opentelemetry/core";
import type { SurroundRequest } from "../server/requestEntry.ts";
import type { IsSampled } from "./sampling.ts";
import type { Spans } from "./spans.ts";

export interface RequestTracing {
  spans: Spans;
  isSampled: IsSampled;
  /** Whether the traceparent of a request is continued. */
  trustsCaller: boolean;
}

/** Another method is written as _OTHER: its name is chosen by the client. */
const METHODS: ReadonlySet<string | undefined> = new Set(["GET", "HEAD", "POST", "OPTIONS", "PUT", "PATCH", "DELETE"]);

export function traceRequests({ spans, isSampled, trustsCaller }: RequestTracing): SurroundRequest {
  return (request, response, route, handle) => {
    const caller = trustsCaller ? callerOf(request) : null;
    // Health checks and files of the console would only be noise.
    if (route.place === "other" || !isSampled(caller)) return handle(request, response, route);
    const method = METHODS.has(request.method) ? (request.method as string) : "_OTHER";
    const span = spans.startTrace(`${method === "_OTHER" ? "HTTP" : method} ${route.path}`, {
      kind: "SERVER",
      attributes: { "http.request.method": method, "http.route": route.path },
      parent: caller,
    });
    response.once("close", () => {
      const { headersSent, statusCode } = response;
      if (!headersSent) return span.end("client_left");
      span.set({ "http.response.status_code": statusCode });
      span.end(statusCode >= 500 ? String(statusCode) : undefined);
    });
    span.run(() => handle(request, response, route));
  };
}

function callerOf({ headers: { traceparent } }: IncomingMessage) {
  const caller = typeof traceparent === "string" ? parseTraceParent(traceparent) : null;
  return caller && { ...caller, isRemote: true };
}
