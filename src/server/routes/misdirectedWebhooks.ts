// Notices webhooks that are refused before they reach their route: requests that have the right Authorization header and came to another
// path, or with a wrong Host header. The client gets the same answer as anybody; the log and administrators learn of it.
import type { Receiver } from "../../webhook/receive.ts";
import type { WebhookArrivals } from "../../webhook/webhookArrivals.ts";
import type { OnRefused } from "../connections/rejections.ts";
import { authorizationOf } from "../requestHead.ts";
import type { ServerObserver } from "../serverObserver.ts";

export interface MisdirectedWebhooksDeps {
  receiver: Pick<Receiver, "matchSecret">;
  observer: Pick<ServerObserver, "webhookMisdirected">;
  arrivals: Pick<WebhookArrivals, "refused">;
}

/** To be called with each refused request, after its answer. */
export function createMisdirectedWebhooks({ receiver, observer, arrivals }: MisdirectedWebhooksDeps): OnRefused {
  return (place, request, status) => {
    // The route itself reports what it refuses; only the check of the head answers 400 there.
    if (request.method !== "POST" || (place === "webhook" && status !== 400)) return;
    const authorization = authorizationOf(request);
    if (authorization === undefined || !receiver.matchSecret(authorization)) return;
    if (place === "webhook") return arrivals.refused("WRONG_HOST");
    observer.webhookMisdirected();
    arrivals.refused("WRONG_PATH", place);
  };
}
