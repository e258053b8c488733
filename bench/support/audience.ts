// Opens many graphql-transport-ws subscribers, each on its own connection, that record what arrives when.
import { once } from "node:events";
import { WebSocket } from "ws";

export interface Audience {
  /** Resolves when every subscriber got so many more, with the time of each arrival; throws when they do not come. */
  receive(events: number): Promise<number[]>;
  /** Throws unless every subscriber got each of these sessions once, all in the same order. */
  check(sessions: readonly string[]): void;
  close(): void;
}

export interface AudienceOptions {
  size: number;
  /** Each for a thousand of them, who come from an address of their own: a gateway lets no more in from one. */
  authorizations: readonly string[];
  payload: { query: string; variables?: unknown };
}

const OPENED_AT_ONCE = 100;
const OF_ONE_VIEWER = 1000;
const PATIENCE_MS = 60_000;

export async function openAudience(url: string, options: AudienceOptions): Promise<Audience> {
  const { size, authorizations, payload } = options;
  const texts = Array.from({ length: size }, (): Buffer[] => []);
  const sockets: WebSocket[] = [];
  let arrivals: number[] = [];
  let due = Infinity;
  let whole: PromiseWithResolvers<void> | null = null;

  const onMessage = (at: number) => (data: Buffer) => {
    arrivals.push(performance.now());
    texts[at]?.push(data);
    if (arrivals.length >= due) whole?.resolve();
  };
  const subscribeOne = (at: number) => {
    const caller = Math.floor(at / OF_ONE_VIEWER);
    const from = { authorization: authorizations[caller] ?? "", localAddress: `127.0.0.${caller + 1}` };
    return subscribe(url, { ...from, payload }, onMessage(at));
  };
  for (let first = 0; first < size; first += OPENED_AT_ONCE) {
    const group = Array.from({ length: Math.min(OPENED_AT_ONCE, size - first) }, (_, at) => first + at);
    sockets.push(...(await Promise.all(group.map(subscribeOne))));
  }
  return {
    async receive(events) {
      due = events * size;
      whole = Promise.withResolvers();
      const timer = setTimeout(
        () => whole?.reject(new Error(`${arrivals.length} of ${due} deliveries came`)),
        PATIENCE_MS,
      );
      if (arrivals.length >= due) whole.resolve();
      await whole.promise;
      clearTimeout(timer);
      const arrived = arrivals;
      arrivals = [];
      return arrived;
    },
    check(sessions) {
      const expected = new Set(sessions);
      const order = texts.map((messages) => messages.map(sessionOf).join());
      const first = (texts[0] ?? []).map(sessionOf);
      const isEachOnce = first.length === expected.size && first.every((id) => expected.delete(id));
      if (!isEachOnce || order.some((text) => text !== order[0])) throw new Error("subscribers did not get each once");
    },
    close: () => sockets.forEach((socket) => socket.terminate()),
  };
}

export interface SubscriberOptions extends Pick<AudienceOptions, "payload"> {
  authorization: string;
  localAddress?: string;
}

/** Resolves when the subscription was read; its messages may have begun to come. */
export async function subscribe(
  url: string,
  { authorization, payload, localAddress }: SubscriberOptions,
  onMessage: (data: Buffer) => void,
): Promise<WebSocket> {
  const socket = new WebSocket(`${url.replace(/^http/, "ws")}/graphql`, "graphql-transport-ws", {
    perMessageDeflate: false,
    ...(localAddress === undefined ? {} : { localAddress }),
  });
  await once(socket, "open");
  socket.send(JSON.stringify({ type: "connection_init", payload: { authorization } }));
  const [ack] = (await once(socket, "message")) as [Buffer];
  if (!ack.includes("connection_ack")) throw new Error(`a subscriber was not let in: ${ack.toString()}`);
  socket.on("message", onMessage);
  socket.send(JSON.stringify({ id: "1", type: "subscribe", payload }));
  // Frames are taken in order: after the pong the subscription was read.
  socket.ping();
  await once(socket, "pong");
  return socket;
}

/** Anything but an event, an error for one, has no session and fits none. */
function sessionOf(message: Buffer): string {
  return /"sessionId":"([^"]+)"/.exec(message.toString())?.[1] ?? "";
}
