// GET /livez and /readyz: whether the process answers, and whether it takes work. They need no credentials.
import type { IncomingMessage, ServerResponse } from "node:http";
import type { EventLog } from "../../events/eventLog.ts";
import type { TrustedClock } from "../../events/trustedClock.ts";
import { sendText } from "../httpResponse.ts";

type HealthRoute = (request: IncomingMessage, response: ServerResponse) => Promise<void> | void;

export interface HealthDeps {
  isReady: () => Promise<boolean>;
  /** Why the gateway serves less than it should, in a few words. Null: it does not. */
  degradedBy: () => string | null;
  isDraining: () => boolean;
}

export function createHealthRoutes(deps: HealthDeps): { livez: HealthRoute; readyz: HealthRoute } {
  const { isReady, degradedBy, isDraining } = deps;
  /** Shared by simultaneous requests, so that many of them do not keep the database busy. */
  let pending: Promise<boolean> | null = null;
  const checkReady = () =>
    (pending ??= isReady().finally(() => {
      pending = null;
    }));
  return {
    livez(request, response) {
      if (refuseWrite(request, response)) return;
      sendText(response, 200, "alive\n");
    },
    async readyz(request, response) {
      if (refuseWrite(request, response)) return;
      const ready = !isDraining() && (await checkReady());
      if (!ready) return sendText(response, 503, "not ready\n");
      const reason = degradedBy();
      sendText(response, 200, reason === null ? "ready\n" : `ready, degraded: ${reason}\n`);
    },
  };
}

/** A webhook that came here must not be answered with 200: its sender would take it for delivered. */
function refuseWrite({ method }: IncomingMessage, response: ServerResponse): boolean {
  if (method === "GET" || method === "HEAD") return false;
  sendText(response, 405, "", { allow: "GET, HEAD" });
  return true;
}

/** What stands behind `degraded` in the answer of /readyz. */
export function degradationOf(
  { isDamaged, checkProgress, lostEvents }: Pick<EventLog, "isDamaged" | "checkProgress" | "lostEvents">,
  clock: Pick<TrustedClock, "doubt">,
  times: { aheadMs(): number },
): string | null {
  const progress = checkProgress();
  const lost = lostEvents();
  const doubt = clock.doubt();
  const reasons = [
    ...(isDamaged() ? ["entries of the log are damaged"] : []),
    ...(lost > 0 ? [`a failover of PostgreSQL lost ${lost} events or more`] : []),
    ...(doubt === null ? [] : [`the clock is in doubt (${doubt}), so nothing expires`]),
    ...(times.aheadMs() === 0 ? [] : ["times of calls are off by hours: UPSTREAM_TIME_ZONE seems to be wrong"]),
    ...(progress === null ? [] : [`${Math.floor(100 * progress)} % of the log is checked`]),
  ];
  return reasons.length > 0 ? reasons.join("; ") : null;
}
