import { expect, it } from "vitest";
import { CodedError } from "../../../src/errors.ts";
import { createWebhookRoute, type WebhookRouteDeps } from "../../../src/server/routes/webhookRoute.ts";
import { noServerObserver } from "../../../src/server/serverObserver.ts";
import { silentLog } from "../../support/silentLog.ts";
import { serve } from "../serve.ts";

const ignore = () => undefined;
it.each([
  ["after the time that the database names", new CodedError("STORE_UNAVAILABLE", "No.", { retryAfter: 7 }), "7"],
  ["after a second if the database names no time", new CodedError("STORE_UNAVAILABLE", "No."), "1"],
  ["after a second if the gateway itself has failed", new TypeError("a fault"), "1"],
])("A webhook that could not be stored is asked for again %s", async (_, error, seconds) => {
  const receive = () => Promise.reject(error);
  const receiver: WebhookRouteDeps["receiver"] = { matchSecret: () => "current", receive, [Symbol.dispose]: ignore };
  const route = createWebhookRoute({
    receiver,
    observer: noServerObserver,
    connectionGuard: { recordAccepted: ignore },
    arrivals: { accepted: ignore, refused: ignore },
    tests: { isTest: () => false, isUnchanged: () => false },
    log: silentLog,
  });
  await using server = await serve((request, response) => void route(request, response, {}));
  const response = await fetch(server.url, { method: "POST", body: "{}" });
  expect([response.status, response.headers.get("retry-after")]).toEqual([503, seconds]);
});
