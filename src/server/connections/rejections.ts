// Records rejections of connections, upgrades, requests and sockets: for the metrics, and for the connection guard. An
// operation that was read and then refused also counts as an operation (serverObserver.ts).
import type { IncomingMessage, ServerResponse } from "node:http";
import type { RejectedAt, ServerObserver } from "../serverObserver.ts";
import { networkOf } from "./clientAddress.ts";
import type { ConnectionGuard } from "./connectionGuard.ts";

export interface Rejections {
  /** `status`: an HTTP status, a close code, or a word. `address`: null if the peer is not to blame. */
  add(place: RejectedAt, status: number | string, address: string | null): void;
  /** Adds the response when it is closed, if its status is a rejection. */
  observe(place: RejectedAt, request: IncomingMessage, response: ServerResponse): void;
}

/** `status`: of the answer; null: there was none, because the request was incomplete. */
export type OnRefused = (place: RejectedAt, request: IncomingMessage, status: number | null) => void;

/** `onRefused`: called after each answer that is a rejection. */
export function createRejections(
  observer: Pick<ServerObserver, "rejected">,
  connectionGuard: Pick<ConnectionGuard, "recordRejected">,
  onRefused: OnRefused = () => undefined,
): Rejections {
  function add(place: RejectedAt, status: number | string, address: string | null): void {
    observer.rejected(place, String(status));
    // HTTP statuses from 500 on are failures of the gateway.
    const isServerError = typeof status === "number" && status >= 500 && status < 1000;
    if (address !== null && !isServerError) connectionGuard.recordRejected(address);
  }
  return {
    add,
    observe(place, request, response) {
      response.on("close", () => {
        const { statusCode, headersSent } = response;
        // Without a response: a client that left while its operation ran was not rejected, an incomplete request was.
        if (headersSent ? statusCode < 400 : request.complete) return;
        add(place, headersSent ? statusCode : "incomplete", networkOf(request.socket.remoteAddress));
        onRefused(place, request, headersSent ? statusCode : null);
      });
    },
  };
}
