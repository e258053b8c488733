// Tests of the webhook's way: an administrator's browser or command sends a delivery that enters no log, through the proxies in front, and
// learns whether it arrived. Its Authorization header is no accepted value. It is signed for one with the key of the database, so that
// each gateway of the database with the same WEBHOOK_AUTHORIZATION knows it, nobody can guess that value from it, and it ends soon.
import { BODY_LIMITS } from "../config/limits.ts";
import { instantOf, type Instant } from "../format/instant.ts";
import type { Signer } from "../util/hmac.ts";
import { testBody } from "./sendWebhookTest.ts";

export interface WebhookTest {
  /** The value of the Authorization header. */
  authorization: string;
  /** The path of webhooks. */
  path: string;
  /** The size of the body: the largest that a webhook may have. */
  bytes: number;
  /** From then on the header is refused like any other. */
  expiresAt: Instant;
}

export interface WebhookTests {
  issue(): WebhookTest;
  /** Whether an Authorization header is that of a test which has not expired. */
  isTest(authorization: string | undefined): boolean;
  /** Whether the body came as it was sent. */
  isUnchanged(body: Buffer): boolean;
}

export interface WebhookTestsDeps {
  /** Accepted values of the Authorization header, the current one first. */
  accepted: () => readonly string[];
  signer: Pick<Signer, "sign" | "verify" | "digest">;
  path: string;
  /** Epoch milliseconds. */
  clock: () => number;
}

const SCHEME = "Webhook-Test ";
const PURPOSE = "webhook test";
/** Long enough for two gateways whose clocks differ by a minute. */
const LIFETIME_MS = 300_000;

export function createWebhookTests({ accepted, signer, path, clock }: WebhookTestsDeps): WebhookTests {
  const digestOf = (value: string) => signer.digest(PURPOSE, value);
  return {
    issue() {
      const expiresAt = clock() + LIFETIME_MS;
      const [current = ""] = accepted();
      const authorization = SCHEME + signer.sign(PURPOSE, `${expiresAt} ${digestOf(current)} `);
      return { authorization, path, bytes: BODY_LIMITS.webhook, expiresAt: instantOf(expiresAt) };
    },
    isTest(authorization) {
      if (!authorization?.startsWith(SCHEME)) return false;
      const [expiresAt, digest] = signer.verify(PURPOSE, authorization.slice(SCHEME.length))?.split(" ") ?? [];
      return Number(expiresAt) > clock() && accepted().some((value) => digestOf(value) === digest);
    },
    isUnchanged: (body) => body.equals(Buffer.from(testBody(BODY_LIMITS.webhook))),
  };
}
