// Opens many graphql-transport-ws subscribers with the `ws` library, each on its own connection. They record every message and
// the time of its arrival.
import { once } from "node:events";
import { WebSocket } from "ws";

export interface Subscribers {
  /** Waits until every subscriber received this number of further events. Returns the time of each arrival; throws after the timeout. */
  receive(events: number): Promise<number[]>;
  /** Throws unless every subscriber received each of these sessions once, and all in the same order. */
  check(sessions: readonly string[]): void;
  /** The sessions that the first subscriber received, in the order of their arrival. */
  sessions(): string[];
  close(): void;
}

export interface SubscribersOptions {
  size: number;
  /** One for each thousand subscribers. Each thousand has its own address, because a gateway limits the connections of one. */
  authorizations: readonly string[];
  payload: { query: string; variables?: unknown };
}

const OPENED_AT_ONCE = 100;
const SUBSCRIBERS_PER_VIEWER = 1000;
const TIMEOUT_MS = 60_000;

export async function openSubscribers(url: string, options: SubscribersOptions): Promise<Subscribers> {
  const { size, authorizations, payload } = options;
  const texts = Array.from({ length: size }, (): Buffer[] => []);
  const sockets: WebSocket[] = [];
  let arrivals: number[] = [];
  let expectedArrivals = Infinity;
  let complete: PromiseWithResolvers<void> | null = null;

  const onMessage = (at: number) => (data: Buffer) => {
    arrivals.push(performance.now());
    texts[at]?.push(data);
    if (arrivals.length >= expectedArrivals) complete?.resolve();
  };
  const subscribeOne = (at: number) => {
    const caller = Math.floor(at / SUBSCRIBERS_PER_VIEWER);
    const from = { authorization: authorizations[caller] ?? "", localAddress: `127.0.0.${caller + 1}` };
    return subscribe(url, { ...from, payload }, onMessage(at));
  };
  for (let first = 0; first < size; first += OPENED_AT_ONCE) {
    const group = Array.from({ length: Math.min(OPENED_AT_ONCE, size - first) }, (_, at) => first + at);
    sockets.push(...(await Promise.all(group.map(subscribeOne))));
  }
  return {
    async receive(events) {
      expectedArrivals = events * size;
      complete = Promise.withResolvers();
      const timer = setTimeout(
        () => complete?.reject(new Error(`${arrivals.length} of ${expectedArrivals} deliveries came`)),
        TIMEOUT_MS,
      );
      if (arrivals.length >= expectedArrivals) complete.resolve();
      await complete.promise;
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
    sessions: () => (texts[0] ?? []).map(sessionOf),
    close: () => sockets.forEach((socket) => socket.terminate()),
  };
}

export interface SubscriberOptions extends Pick<SubscribersOptions, "payload"> {
  authorization: string;
  localAddress?: string;
}

/** Resolves when the server has read the subscription. Messages may arrive before. */
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
  if (!ack.includes("connection_ack"))
    throw new Error(`the connection of a subscriber was not acknowledged: ${ack.toString()}`);
  socket.on("message", onMessage);
  socket.send(JSON.stringify({ id: "1", type: "subscribe", payload }));
  // The server reads frames in order, so the pong shows that it has read the subscription.
  socket.ping();
  await once(socket, "pong");
  return socket;
}

/** The session of an event. Empty for any other message, such as an error, so that it matches no expected session. */
function sessionOf(message: Buffer): string {
  return /"sessionId":"([^"]+)"/.exec(message.toString())?.[1] ?? "";
}
