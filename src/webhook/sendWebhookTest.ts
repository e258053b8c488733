// Sends a test of the webhook's way and names what came of it. The console and `switchboard doctor` use it: it needs only what browsers
// and Node both have.

export const webhookTestOutcomes = [
  "ARRIVED",
  "CHANGED",
  "HEADER_REFUSED",
  "WRONG_PATH",
  "TOO_LARGE",
  "HOST_REFUSED",
  "BUSY",
  "REDIRECTED",
  "OTHER_ANSWER",
  "UNREACHABLE",
] as const;
/**
 * - `ARRIVED`: the gateway got it as it was sent.
 * - `CHANGED`: the gateway got it with another body.
 * - `HEADER_REFUSED`: 401 or 403. The Authorization header was lost or replaced on the way, or the gateway has another WEBHOOK_AUTHORIZATION.
 * - `WRONG_PATH`: 404 or 405.
 * - `TOO_LARGE`: 413. A proxy takes only smaller bodies.
 * - `HOST_REFUSED`: 400. A gateway without keys takes names of its own machine only.
 * - `BUSY`: 429 or 503. The gateway or a proxy starts, or has too much to do.
 * - `REDIRECTED`: to another address, which the service may not follow.
 * - `OTHER_ANSWER`: any other answer, such as 502 or a page.
 * - `UNREACHABLE`: no answer within 15 seconds, or no connection.
 */
export type WebhookTestOutcome = (typeof webhookTestOutcomes)[number];

export interface WebhookTestResult {
  outcome: WebhookTestOutcome;
  /** The status of the answer. Null: there was none, or a browser does not tell it. */
  status: number | null;
  /** What the connection failed with, such as DEPTH_ZERO_SELF_SIGNED_CERT. Null: it is not known. */
  problem: string | null;
  /** Milliseconds until the answer. */
  ms: number;
}

const TIMEOUT_MS = 15_000;
const BY_STATUS: Readonly<Record<number, WebhookTestOutcome>> = {
  400: "HOST_REFUSED",
  401: "HEADER_REFUSED",
  403: "HEADER_REFUSED",
  404: "WRONG_PATH",
  405: "WRONG_PATH",
  413: "TOO_LARGE",
  429: "BUSY",
  503: "BUSY",
};

/** A JSON text of so many bytes. Letters beyond ASCII show whether something on the way reads it in another encoding. */
export function testBody(bytes: number): string {
  const head = '{"webhookTest":"通话é","filler":"';
  const tail = '"}';
  return head + "x".repeat(bytes - new TextEncoder().encode(head + tail).byteLength) + tail;
}

/** `address`: where the service sends webhooks; `test`: as the gateway has issued it. */
export async function sendWebhookTest(
  address: string,
  { authorization, bytes }: { authorization: string; bytes: number },
): Promise<WebhookTestResult> {
  const startedAt = performance.now();
  const result = (outcome: WebhookTestOutcome, status: number | null, problem: string | null = null) => ({
    outcome,
    status,
    problem,
    ms: Math.round(performance.now() - startedAt),
  });
  try {
    const response = await fetch(address, {
      method: "POST",
      headers: { authorization, "content-type": "application/json" },
      body: testBody(bytes),
      redirect: "manual",
      credentials: "omit",
      cache: "no-store",
      signal: AbortSignal.timeout(TIMEOUT_MS),
    });
    const { status } = response;
    if (response.type === "opaqueredirect") return result("REDIRECTED", null);
    if (status >= 300 && status < 400) return result("REDIRECTED", status);
    if (status !== 200) return result(BY_STATUS[status] ?? "OTHER_ANSWER", status);
    const answer = readAnswer(await response.text());
    return result(answer === null ? "OTHER_ANSWER" : answer.unchanged ? "ARRIVED" : "CHANGED", status);
  } catch (error) {
    return result("UNREACHABLE", null, problemOf(error));
  }
}

/** Null: the answer is not the gateway's. */
function readAnswer(text: string): { unchanged: boolean } | null {
  try {
    const { webhookTest } = JSON.parse(text) as { webhookTest?: { unchanged?: unknown } };
    return typeof webhookTest?.unchanged === "boolean" ? { unchanged: webhookTest.unchanged } : null;
  } catch {
    return null;
  }
}

function problemOf(error: unknown): string | null {
  if (!(error instanceof Error)) return null;
  const { cause } = error;
  if (cause instanceof Error) return "code" in cause ? String(cause.code) : cause.message;
  return error.name === "TimeoutError" ? "no answer within 15 s" : null;
}
