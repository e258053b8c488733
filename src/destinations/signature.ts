// Signs messages as Standard Webhooks 1.0 says: HMAC-SHA-256 over the id, the time of the attempt and the body.
import { createHmac } from "node:crypto";

export interface SignedMessage {
  id: string;
  /** Epoch milliseconds. */
  at: number;
  body: string;
}

/** The headers of a message. `secrets`: `whsec_…`; with two, a receiver may know either. */
export function signedHeaders({ id, at, body }: SignedMessage, secrets: readonly string[]): Record<string, string> {
  const seconds = Math.floor(at / 1000);
  const signatures = secrets.map((secret) => {
    const key = Buffer.from(secret.slice("whsec_".length), "base64");
    return `v1,${createHmac("sha256", key).update(`${id}.${seconds}.${body}`).digest("base64")}`;
  });
  return {
    "webhook-id": id,
    "webhook-timestamp": String(seconds),
    "webhook-signature": signatures.join(" "),
  };
}
