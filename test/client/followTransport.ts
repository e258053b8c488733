// A client that follows ended calls over one transport alone, for cutsAndRestarts.test.ts. It runs in Node and in a browser's page.
import { createSwitchboardClient } from "../../client/src/index.ts";

export type Transport = "WebSocket" | "server-sent events";

/** Reports each session id, each gap and the end of the stream. Returns the function that ends it. */
export function followTransport(
  transport: Transport,
  url: string,
  after: string,
  report: (sessionId: string) => void,
): () => void {
  const client = createSwitchboardClient({
    url: `${url}/graphql`,
    // Short pauses.
    random: () => Math.random() / 100,
    ...(transport === "WebSocket" ? { fetch: refuseStreams } : { webSocketImpl: null }),
  });
  async function follow(): Promise<void> {
    for await (const item of client.callEnded({ after }))
      report(item.type === "call" ? item.call.sessionId : `a gap behind ${item.after}`);
  }
  follow().then(
    () => report("the end"),
    (error: unknown) => report(String(error)),
  );
  return () => void client.close();
}

/** Without it, the client goes on by server-sent events when the handshake of a WebSocket was cut. */
const refuseStreams: typeof fetch = (input, init) => {
  const isStream = new Headers(init?.headers).get("accept")?.includes("text/event-stream");
  return isStream ? Promise.reject(new TypeError("fetch failed")) : fetch(input, init);
};
