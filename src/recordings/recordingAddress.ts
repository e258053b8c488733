// The signed, short-lived address of one recording for one viewer: what an <audio> element, which sends no credentials, is
// given. It ends no later than the viewer's credentials.
import type { Signer } from "../util/hmac.ts";

export interface RecordingGrant {
  sessionId: string;
  /** The viewer's name. */
  viewer: string;
  /** Whether a token was his credential, which ends no earlier than this; else he must still hold the scope. */
  byToken: boolean;
  /** Epoch milliseconds, whole seconds. */
  expiresAt: number;
}

export interface RecordingAddressSigner {
  /** A path on the gateway. */
  create(grant: RecordingGrant): string;
  /** Null for what was not signed here, or has expired. Takes a request's target, its query included. */
  verify(target: string): RecordingGrant | null;
}

export const RECORDINGS_PATH = "/recordings/";

export function createRecordingAddressSigner(seal: Signer, clock: () => number): RecordingAddressSigner {
  const purposeOf = (sessionId: string) => `recording ${sessionId}`;
  return {
    create({ sessionId, viewer, byToken, expiresAt }) {
      const payload = Buffer.from(JSON.stringify([expiresAt / 1000, viewer, byToken])).toString("base64url");
      return `${RECORDINGS_PATH}${nameOf(sessionId)}?grant=${seal.sign(purposeOf(sessionId), payload)}`;
    },
    verify(target) {
      const [path = "", query = ""] = target.split("?", 2);
      const sessionId = sessionOf(path.slice(RECORDINGS_PATH.length));
      const grants = new URLSearchParams(query).getAll("grant");
      if (sessionId === null || grants.length !== 1) return null;
      const payload = seal.verify(purposeOf(sessionId), grants[0] ?? "");
      if (payload === null) return null;
      const [seconds, viewer, byToken] = JSON.parse(Buffer.from(payload, "base64url").toString()) as [
        number,
        string,
        boolean,
      ];
      const expiresAt = seconds * 1000;
      return clock() < expiresAt ? { sessionId, viewer, byToken, expiresAt } : null;
    },
  };
}

const nameOf = (sessionId: string) => Buffer.from(sessionId).toString("base64url");

/** base64url has several spellings of one text: only the one that is given out names it. */
function sessionOf(name: string): string | null {
  const sessionId = Buffer.from(name, "base64url").toString();
  return name !== "" && nameOf(sessionId) === name ? sessionId : null;
}
