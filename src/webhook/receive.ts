// verify → parse → append: a delivery is received when this resolves, and then it is on disk.
import type { EventLog } from "../events/eventLog.ts";
import { instantOf } from "../format/instant.ts";
import type { Log } from "../log.ts";
import type { QuarantineStore } from "../store/log/quarantineStore.ts";
import type { ParseCallEnded } from "./parse.ts";
import { createVerifier } from "./verify.ts";

/** How an accepted value is called in metrics. */
const secrets = ["current", "previous"] as const;
export type Secret = (typeof secrets)[number];

export interface Receiver {
  /** To be asked before a byte of the body is read: which value the header is; null: none, and nothing may be kept. */
  matchSecret(authorization: string | undefined): Secret | null;
  /**
   * Keeps an authentic delivery: in the log, or in quarantine where it cannot be read, for a refusal could lose the call
   * for ever. Throws STORE_UNAVAILABLE, and then nothing was kept.
   */
  receive(body: Uint8Array): Promise<"appended" | "revised" | "known" | "quarantined">;
}

export interface ReceiverDeps {
  /** Values of the Authorization header: the current one, and while it is being changed the one before. */
  accepted: readonly string[];
  events: Pick<EventLog, "append">;
  quarantine: QuarantineStore;
  parse: ParseCallEnded;
  clock: () => number;
  log: Log;
}

export function createReceiver({ accepted, events, quarantine, parse, clock, log }: ReceiverDeps): Receiver {
  const verify = createVerifier(accepted);
  return {
    matchSecret: (authorization) => secrets[verify(authorization)] ?? null,
    async receive(body) {
      const parsed = parse(body);
      if ("call" in parsed) return await events.append(parsed.call, "WEBHOOK");
      const reason = parsed.unreadable;
      await quarantine.add({ receivedAt: instantOf(clock()), reason, body });
      log.warn({ reason, bytes: body.byteLength }, "a webhook could not be read and was put in quarantine");
      return "quarantined";
    },
  };
}
