// What was not served, whatever the reason: counted for the operator, and told to the door. An operation that was read and
// then refused is counted with the operations, too.
import type { IncomingMessage, ServerResponse } from "node:http";
import type { Counters } from "../counters.ts";
import { networkOf } from "./clientAddress.ts";
import type { ConnectionGuard } from "./connectionGuard.ts";

/** Where it ended: before a request was read, before a socket stood, on one, or at a route. */
export type RejectedAt = "connection" | "upgrade" | "websocket" | "graphql" | "webhook" | "recordings" | "other";

export interface Rejections {
  /** `status`: an HTTP status, a close code, or a word of ours. `address`: null where its sender is not to blame. */
  add(place: RejectedAt, status: number | string, address: string | null): void;
  /** Adds the answer when it is over, where it refused its request. */
  observe(place: RejectedAt, request: IncomingMessage, response: ServerResponse): void;
}

export function createRejections(
  meter: Counters["rejections"],
  door: Pick<ConnectionGuard, "recordRejected">,
): Rejections {
  function add(place: RejectedAt, status: number | string, address: string | null): void {
    meter.add({ place, status: String(status) });
    // What failed here is not its sender's doing.
    const isFailure = typeof status === "number" && status >= 500 && status < 1000;
    if (address !== null && !isFailure) door.recordRejected(address);
  }
  return {
    add,
    observe(place, request, response) {
      response.on("close", () => {
        const { statusCode, headersSent } = response;
        // Who leaves while its answer is made was not refused; who never sent all of its request was not served.
        if (headersSent ? statusCode < 400 : request.complete) return;
        add(place, headersSent ? statusCode : "incomplete", networkOf(request.socket.remoteAddress));
      });
    },
  };
}
