// A client behind a router: it subscribes again at once when its stream ends for any reason, after the last cursor it received.
import { setTimeout as pause } from "node:timers/promises";
import { openSocket, openSse, subscribe, type Stream, type StreamResult } from "../../../test/support/streams.ts";

const ENDED = "subscription ($after: String) { callEnded(after: $after) { cursor sessionId } }";
const PAUSE_MS = 5;

interface Ended {
  callEnded: { cursor: string; sessionId: string };
}

/** How the client subscribes to the router. */
export type ClientTransport = "sse" | "ws";

const opens: Record<
  ClientTransport,
  (url: string, variables: { after: string }) => Promise<Stream<StreamResult<Ended>>>
> = {
  sse: (url, variables) => openSse<Ended>(url, { query: ENDED, variables }),
  ws: async (url, variables) => subscribe<Ended>(openSocket(url), ENDED, variables),
};

export function resumeThrough(
  transport: ClientTransport,
  url: string,
  after: string,
  onSession: (sessionId: string) => void,
): AsyncDisposable {
  let stream: Stream<StreamResult<Ended>> | undefined;
  let isDone = false;

  async function readStream(): Promise<void> {
    stream = await opens[transport](url, { after });
    // The results of a stream come one by one until it ends, which `next` reports as an error.
    while (!isDone) {
      const { data } = await stream.next();
      // The router reports a stream that it lost as a result without data.
      if (!data?.callEnded) return;
      after = data.callEnded.cursor;
      onSession(data.callEnded.sessionId);
    }
  }

  async function run(): Promise<void> {
    while (!isDone) {
      await readStream().catch(() => undefined);
      await stream?.[Symbol.asyncDispose]();
      await pause(PAUSE_MS);
    }
  }

  const running = run();
  return {
    async [Symbol.asyncDispose]() {
      isDone = true;
      await stream?.[Symbol.asyncDispose]();
      await running;
    },
  };
}
