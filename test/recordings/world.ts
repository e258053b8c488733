// A sandbox whose recordings' links die soon, and how a gateway in front of it is asked for recordings.
import { createHash } from "node:crypto";
import type { Sandbox } from "../../sandbox/src/sandbox.ts";
import { soundOfCall } from "../support/sandboxSound.ts";
import { emptySandbox } from "../support/emptySandbox.ts";
import type { TestGateway } from "../support/gateway.ts";
import { until } from "../support/until.ts";

export interface Recording {
  id: string;
  status: "PENDING" | "ARCHIVED" | "LOST";
  url: string | null;
  urlExpiresAt: string | null;
  contentType: string | null;
  bytes: number | null;
  archivedAt: string | null;
  failure: string | null;
}

export const FIELDS = "id status url urlExpiresAt contentType bytes archivedAt failure";
const QUERY = `query($id: ID!) { callEnded(sessionId: $id) { recordUrl recording { ${FIELDS} } } }`;

export interface MortalSandbox extends Sandbox {
  /** Links that were given out give nothing any more. */
  linksDie(): void;
}

/** Links live for a minute of a clock that the test moves, so that a slow machine kills none by itself. */
export async function mortalSandbox(): Promise<MortalSandbox> {
  let ahead = 0;
  const sandbox = await emptySandbox({ recordingTtlS: 60, now: () => Date.now() + ahead });
  return Object.assign(sandbox, { linksDie: () => void (ahead += 60_000) });
}

/** Its recordings may be fetched, and nobody else's. */
export const allowing = (...hosts: { url: string }[]): Record<string, string> => ({
  RECORDING_HOSTS: hosts.map(({ url }) => new URL(url).host).join(),
});

type Asker = Pick<TestGateway, "ask">;

/** The newest event; null where the call is not in the log. */
export async function findEvent(gateway: Asker, sessionId: string, headers: Record<string, string> = {}) {
  interface Answer {
    callEnded: { recordUrl: string; recording: Recording | null } | null;
  }
  return (await gateway.ask<Answer>(QUERY, { id: sessionId }, headers)).data?.callEnded ?? null;
}

export function settled(gateway: Asker, sessionId: string, status: Recording["status"]): Promise<Recording> {
  return until(async () => {
    const recording = (await findEvent(gateway, sessionId))?.recording;
    return recording?.status === status && recording;
  });
}

export async function linkOf(gateway: Asker, sessionId: string): Promise<string> {
  return until(async () => (await findEvent(gateway, sessionId))?.recordUrl);
}

export const sha256 = (bytes: Uint8Array): string => createHash("sha256").update(bytes).digest("hex");

/** The SHA-256 of the recording that the sandbox makes. */
export const sandboxDigest = (sessionId: string): string => sha256(soundOfCall(sessionId));

/** The SHA-256 of what the gateway serves. */
export async function fetchDigest(gateway: { url: string }, { url }: Recording): Promise<string> {
  const response = await fetch(new URL(url ?? "", gateway.url));
  if (response.status !== 200) throw new Error(`the recording was answered with ${response.status}`);
  return sha256(await response.bytes());
}
