// Subscribes by server-sent events, with fetch: unlike EventSource it can send a key.
import { errorOfResult, networkError, toSwitchboardError, type GraphResult } from "../http/answerErrors.ts";
import type { Refused } from "../http/credentials.ts";
import { errorOfResponse, type HttpTransport, type Payload } from "../http/httpTransport.ts";
import { createScope } from "../pause.ts";
import { isRefusal, SILENCE_MS, type Ending, type Sink, type Subscribe } from "./transport.ts";

export function createEventStreams(http: HttpTransport): Subscribe {
  return (payload, sink, refused) => {
    const { signal, abort } = createScope();
    const end = (ending: Ending) => {
      if (signal.aborted) return;
      abort();
      sink.end(ending);
    };
    void readStream({ http, payload, refused, signal, sink }).then(end, (error: unknown) =>
      end({ error: toSwitchboardError(error) }),
    );
    return () => abort();
  };
}

interface Stream {
  http: HttpTransport;
  payload: Payload;
  refused: Refused | null;
  signal: AbortSignal;
  sink: Sink;
}

async function readStream({ http, payload, refused, signal, sink }: Stream): Promise<Ending> {
  const scope = createScope(signal);
  const silence = createTimer(() => scope.abort(networkError("The gateway is silent.")));
  let authorization: string | undefined;
  try {
    const answer = await http.post(payload, { accept: "text/event-stream", signal: scope.signal, refused });
    authorization = answer.authorization;
    const { response } = answer;
    if (!response.headers.get("content-type")?.startsWith("text/event-stream")) throw await errorOfResponse(response);
    for await (const { event, data } of eventsOf(response, silence.restart)) {
      if (signal.aborted || event === "complete") return { error: null };
      if (event !== "next") continue;
      const result = JSON.parse(data) as GraphResult;
      // The credentials ended while the stream ran.
      if (!result.data && isRefusal(errorOfResult(result))) throw errorOfResult(result);
      sink.next(result);
    }
    throw networkError("The connection broke.");
  } catch (cause) {
    const error = toSwitchboardError(scope.signal.aborted ? scope.signal.reason : cause);
    return { error, refused: isRefusal(error) ? { value: authorization } : undefined };
  } finally {
    silence.stop();
    scope.abort();
  }
}

function createTimer(onTimeout: () => void): { restart(): void; stop(): void } {
  let timer = setTimeout(onTimeout, SILENCE_MS);
  const stop = () => clearTimeout(timer);
  return {
    stop,
    restart() {
      stop();
      timer = setTimeout(onTimeout, SILENCE_MS);
    },
  };
}

/** Safari cannot iterate over a body. `onBytes`: called before each read. */
async function* eventsOf({ body }: Response, onBytes: () => void) {
  const reader = (body as ReadableStream<Uint8Array>).getReader();
  const decoder = new TextDecoder();
  for (let rest = ""; ;) {
    onBytes();
    const { done, value } = await reader.read();
    if (done) return;
    const blocks = (rest + decoder.decode(value, { stream: true })).split("\n\n");
    rest = blocks.pop() ?? "";
    for (const block of blocks) yield { event: fieldOf(block, "event"), data: fieldOf(block, "data") };
  }
}

function fieldOf(block: string, name: string): string {
  const line = block.split("\n").find((text) => text.startsWith(`${name}:`));
  return line?.slice(name.length + 1).trimStart() ?? "";
}
