// Subscribes by server-sent events, with fetch: unlike EventSource it can send a key.
import { errorOfResult, networkError, toSwitchboardError, type GraphResult } from "../http/answerErrors.ts";
import { readData, type HttpTransport } from "../http/httpTransport.ts";
import { SwitchboardError } from "../switchboardError.ts";
import { isRefusal, SILENCE_MS, type Subscribe } from "./transport.ts";

export function createEventStreams(http: HttpTransport): Subscribe {
  return (payload, sink, refused) => {
    const controller = new AbortController();
    const { signal } = controller;
    let isStopped = false;
    let authorization: string | undefined;
    let timer: ReturnType<typeof setTimeout> | undefined;

    function restartTimer(): void {
      clearTimeout(timer);
      timer = setTimeout(() => controller.abort(networkError("The gateway is silent.")), SILENCE_MS);
    }
    function stop(): void {
      isStopped = true;
      clearTimeout(timer);
      controller.abort();
    }
    async function read(): Promise<null> {
      restartTimer();
      const answer = await http.post(payload, { accept: "text/event-stream", signal, refused });
      authorization = answer.authorization;
      const { response } = answer;
      if (!response.headers.get("content-type")?.startsWith("text/event-stream")) {
        await readData(response);
        throw new SwitchboardError("BAD_RESPONSE", "The answer is no stream of events.");
      }
      for await (const { event, data } of eventsOf(response, restartTimer)) {
        if (isStopped || event === "complete") return null;
        if (event !== "next") continue;
        const result = JSON.parse(data) as GraphResult;
        // The credentials ended while the stream ran.
        if (!result.data && isRefusal(errorOfResult(result))) throw errorOfResult(result);
        sink.next(result);
      }
      throw networkError("The connection broke.");
    }
    void read()
      .catch((cause: unknown) => toSwitchboardError(signal.aborted ? signal.reason : cause))
      .then((error) => {
        if (isStopped) return;
        stop();
        sink.end({ error, authorization });
      });
    return stop;
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
