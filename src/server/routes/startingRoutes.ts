// The routes of a gateway that waits for something, such as its database. It is alive and not ready, and asks all clients to come
// again; the sender of webhooks does.
import { CodedError } from "../../errors.ts";
import type { Logger } from "../../logger.ts";
import { RETRY_AFTER_S } from "../../store/storeError.ts";
import { sendEmptyRefusal, sendRefusal, sendText } from "../httpResponse.ts";
import type { Route, RouteHandler, RouteTable } from "../routeTable.ts";
import { retryLater } from "../refusals.ts";

const starting = new CodedError("STORE_UNAVAILABLE", "The gateway is starting. Try again later.", {
  retryAfter: RETRY_AFTER_S,
});
const LATER = { "retry-after": String(RETRY_AFTER_S), connection: "close" };

export function createStartingRoutes(webhookPath: string, log: Logger): RouteTable {
  const route = (path: string, place: Route["place"], handle: RouteHandler): Route => ({
    place,
    path,
    handle,
    writesHeaders: false,
    cors: null,
  });
  const routes = new Map([
    [
      "/graphql",
      route("/graphql", "graphql", (...[request, response]) =>
        sendRefusal(request, response, retryLater(starting, 503), log),
      ),
    ],
    [
      webhookPath,
      route(webhookPath, "webhook", (...[request, response]) => sendEmptyRefusal(request, response, 503, LATER)),
    ],
    ["/livez", route("/livez", "other", (_, response) => sendText(response, 200, "alive\n"))],
    ["/readyz", route("/readyz", "other", (_, response) => sendText(response, 503, "not ready: starting\n"))],
  ]);
  const other = route("", "other", (_, response) => sendText(response, 503, "The gateway is starting.\n", LATER));
  return { paths: [...routes.keys()], find: (path) => routes.get(path) ?? other };
}
