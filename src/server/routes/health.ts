// GET /livez and /readyz: whether the process answers, and whether it takes work. They need no credentials.
import type { IncomingMessage, ServerResponse } from "node:http";
import { sendText } from "../httpResponse.ts";

type HealthRoute = (request: IncomingMessage, response: ServerResponse) => Promise<void> | void;

export interface HealthDeps {
  isReady: () => Promise<boolean>;
  /** Whether some log entries are lost. */
  isDamaged: () => boolean;
  isDraining: () => boolean;
}

const DEGRADED = "ready, degraded: entries of the log are damaged\n";

export function createHealthRoutes(deps: HealthDeps): { livez: HealthRoute; readyz: HealthRoute } {
  const { isReady, isDamaged, isDraining } = deps;
  /** Shared by simultaneous requests, so that many of them do not keep the database busy. */
  let pending: Promise<boolean> | null = null;
  const checkReady = () =>
    (pending ??= isReady().finally(() => {
      pending = null;
    }));
  return {
    livez: (_, response) => sendText(response, 200, "alive\n"),
    async readyz(_, response) {
      const ready = !isDraining() && (await checkReady());
      if (!ready) return sendText(response, 503, "not ready\n");
      sendText(response, 200, isDamaged() ? DEGRADED : "ready\n");
    },
  };
}
