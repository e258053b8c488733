// Signed, short-lived addresses of recordings, for <audio> elements, which send no credentials. An address is valid for one
// recording and one viewer, and expires no later than the viewer's credentials.
import type { Signer } from "../util/hmac.ts";

export interface RecordingGrant {
  sessionId: string;
  /** The viewer's name. */
  viewer: string;
  /** True: a token, which ends no earlier than this address. False: a key, which must still have the scope when it is used. */
  byToken: boolean;
  /** Epoch milliseconds, in whole seconds. */
  expiresAt: number;
}

export interface RecordingAddressSigner {
  /** Returns a path on the gateway. */
  create(grant: RecordingGrant): string;
  /** The grant of a request target, with its query. Null if the signature is wrong or the address has expired. */
  verify(target: string): RecordingGrant | null;
}

export const RECORDINGS_PATH = "/recordings/";

export function createRecordingAddressSigner(signer: Signer, clock: () => number): RecordingAddressSigner {
  const purposeOf = (sessionId: string) => `recording ${sessionId}`;
  return {
    create({ sessionId, viewer, byToken, expiresAt }) {
      const payload = Buffer.from(JSON.stringify([expiresAt / 1000, viewer, byToken])).toString("base64url");
      return `${RECORDINGS_PATH}${encodeSession(sessionId)}?grant=${signer.sign(purposeOf(sessionId), payload)}`;
    },
    verify(target) {
      const [path = "", query = ""] = target.split("?", 2);
      const sessionId = decodeSession(path.slice(RECORDINGS_PATH.length));
      const grants = new URLSearchParams(query).getAll("grant");
      if (sessionId === null || grants.length !== 1) return null;
      const payload = signer.verify(purposeOf(sessionId), grants[0] ?? "");
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

const encodeSession = (sessionId: string) => Buffer.from(sessionId).toString("base64url");

/** base64url has several spellings of one text; only the canonical one is accepted. */
function decodeSession(name: string): string | null {
  const sessionId = Buffer.from(name, "base64url").toString();
  return name !== "" && encodeSession(sessionId) === name ? sessionId : null;
}
