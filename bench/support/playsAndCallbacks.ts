// Attacks by work outside of operations: many plays of one recording that nobody reads, and many idle subscriptions by callback.
import { callEndedEvent } from "../../test/support/events.ts";
import { subscribeByCallback } from "../../test/support/network/callbackReceiver.ts";
import { WEBHOOK_AUTHORIZATION } from "../../test/support/sandbox.ts";
import { until } from "../../test/support/until.ts";
import { flood, type Attack, type Victim } from "./attackTools.ts";

const PLAYS = 3000;
const SUBSCRIPTIONS = 1000;
/** The shortest at which as many of one viewer are accepted. */
const HEARTBEAT_MS = 5000;
const SESSION = "played-by-many";
const ADDRESS = `{ callEnded(sessionId: "${SESSION}") { recording { url } } }`;

/** Resolves with the signed address of a recording of 10 MB, when the gateway has archived it. */
async function archive({ url, authorization, soundsUrl }: Victim): Promise<string> {
  const event = callEndedEvent({ session_id: SESSION, record_url: `${soundsUrl}/large/1.wav` });
  const body = JSON.stringify(event);
  const delivered = await fetch(`${url}/calllog`, {
    method: "POST",
    headers: { authorization: WEBHOOK_AUTHORIZATION },
    body,
  });
  if (delivered.status !== 200) throw new Error(`The webhook was answered with ${delivered.status}.`);
  const headers = { "content-type": "application/json", authorization };
  return until(async () => {
    const answer = await fetch(`${url}/graphql`, {
      method: "POST",
      headers,
      body: JSON.stringify({ query: ADDRESS }),
    });
    type Data = { callEnded: { recording: { url: string | null } | null } | null };
    const { data } = (await answer.json()) as { data: Data };
    return data.callEnded?.recording?.url;
  });
}

const playing: Attack = {
  transport: "HTTP",
  scopes: ["calls:read", "recordings:read"],
  async begin(victim) {
    const { host, pathname, search } = new URL(await archive(victim), victim.url);
    const bytes = Buffer.from(`GET ${pathname}${search} HTTP/1.1\r\nhost: ${host}\r\n\r\n`);
    flood(victim, { connections: PLAYS, bytes: () => bytes, pace: "never" });
  },
};

const subscribing: Attack = {
  transport: "HTTP",
  scopes: ["calls:read"],
  async begin({ url, authorization, routerUrl, onAttempt }) {
    for (let at = 0; at < SUBSCRIPTIONS; at += 1) {
      const response = await subscribeByCallback(url, {
        callbackUrl: `${routerUrl}/callback`,
        id: String(at),
        heartbeatIntervalMs: HEARTBEAT_MS,
        authorization,
      });
      if (response.status !== 200)
        throw new Error(`The subscription was answered with ${response.status}: ${await response.text()}`);
      await response.arrayBuffer();
      onAttempt();
    }
  },
};

export const playsAndCallbacks: Record<string, Attack> = {
  "3,000 plays of one recording, never read": playing,
  "1,000 idle subscriptions by callback": subscribing,
};
