// Notices webhooks at a wrong path: requests that have the right Authorization header and were refused elsewhere. The client gets
// the same answer as anybody; only the log tells the operator.
import type { IncomingMessage } from "node:http";
import type { Log } from "../../log.ts";
import { createLogAggregator } from "../../util/logAggregator.ts";
import type { Receiver } from "../../webhook/receive.ts";
import { authorizationOf } from "../requestHead.ts";
import type { RejectedAt, ServerObserver } from "../serverObserver.ts";

export interface MisdirectedWebhooksDeps {
  receiver: Pick<Receiver, "matchSecret">;
  webhookPath: string;
  observer: Pick<ServerObserver, "webhookMisdirected">;
  log: Log;
}

/** Disposing it logs the count that was not logged yet. */
export interface MisdirectedWebhooks extends Disposable {
  /** To be called with each refused request, after its answer. */
  observe(place: RejectedAt, request: IncomingMessage): void;
}

const LOG_INTERVAL_MS = 60_000;

export function createMisdirectedWebhooks(deps: MisdirectedWebhooksDeps): MisdirectedWebhooks {
  const { receiver, webhookPath, observer, log } = deps;
  const aggregator = createLogAggregator(
    (refused) =>
      log.warn(
        { refused, path: webhookPath },
        `webhooks come to a wrong path and are lost: the service, or the proxy in front, must send them to ${webhookPath} (WEBHOOK_PATH)`,
      ),
    { intervalMs: LOG_INTERVAL_MS, reportsFirstAtOnce: true },
  );
  return {
    observe(place, request) {
      if (place === "webhook" || request.method !== "POST") return;
      const authorization = authorizationOf(request);
      if (authorization === undefined || !receiver.matchSecret(authorization)) return;
      observer.webhookMisdirected();
      aggregator.add(place);
    },
    [Symbol.dispose]: () => aggregator[Symbol.dispose](),
  };
}
