// Simulates many WebSocket subscribers in one process over bare sockets. A WebSocket library would be slower than the servers
// under test. It reads whole, unmasked frames, as Node's servers write them.
import { once } from "node:events";
import { connect, type Socket } from "node:net";

export interface Subscribers {
  /** Waits until every subscriber received this number of further events. Returns the time of each arrival; throws after the timeout. */
  receive(events: number): Promise<Float64Array>;
  /** The last event of the first subscriber. */
  last(): string;
  /** Throws unless every subscriber received each of these sessions once, and all in the same order. */
  check(sessions: readonly string[]): void;
  close(): void;
}

export interface SubscribersOptions {
  size: number;
  /** Authorization headers; the subscribers use them in turn. */
  clients: readonly string[];
  payload: unknown;
}

const OPENED_AT_ONCE = 50;
const TIMEOUT_MS = 120_000;
const SESSION = Buffer.from('"sessionId":"');

export async function openSubscribers(
  url: string,
  { size, clients, payload }: SubscribersOptions,
): Promise<Subscribers> {
  const sessions = Array.from({ length: size }, (): string[] => []);
  const sockets: Socket[] = [];
  let arrivals = new Float64Array(0);
  let arrived = 0;
  let last = Buffer.alloc(0);
  let complete: PromiseWithResolvers<void> | null = null;

  const onText = (at: number) => (text: Buffer) => {
    if (arrived < arrivals.length) arrivals[arrived] = performance.now();
    arrived += 1;
    if (at === 0) last = Buffer.from(text);
    const from = text.indexOf(SESSION) + SESSION.length;
    sessions[at]?.push(text.toString("latin1", from, text.indexOf('"', from)));
    if (arrived >= arrivals.length) complete?.resolve();
  };
  for (let first = 0; first < size; first += OPENED_AT_ONCE) {
    const group = Array.from({ length: Math.min(OPENED_AT_ONCE, size - first) }, (_, at) => first + at);
    const open = (at: number) =>
      subscribe(url, {
        authorization: clients[at % clients.length] ?? "",
        from: addressOf(at),
        payload,
        onText: onText(at),
      });
    sockets.push(...(await Promise.all(group.map(open))));
  }
  return {
    async receive(events) {
      arrived = 0;
      arrivals = new Float64Array(events * size);
      complete = Promise.withResolvers();
      const timer = setTimeout(
        () => complete?.reject(new Error(`${arrived} of ${events * size} deliveries came`)),
        TIMEOUT_MS,
      );
      await complete.promise.finally(() => clearTimeout(timer));
      return arrivals;
    },
    last: () => last.toString(),
    check(expected) {
      const order = expected.toSorted().join();
      const first = sessions[0] ?? [];
      const isEachOnce = first.toSorted().join() === order;
      const firstOrder = first.join();
      if (!isEachOnce || sessions.some((one) => one.join() !== firstOrder))
        throw new Error("the subscribers did not receive each event once");
    },
    close: () => sockets.forEach((socket) => socket.destroy()),
  };
}

/** A new address after 500 subscribers, because one address may hold a thousand connections. Linux has 127.0.0.0/8 on its loopback. */
function addressOf(subscriber: number): string {
  return `127.0.0.${1 + Math.floor(subscriber / 500)}`;
}

interface Subscriber {
  authorization: string;
  /** The local address of its connection. */
  from: string;
  payload: unknown;
  onText: (text: Buffer) => void;
}

/** Resolves when the server has read the subscription: it reads frames in order, and the pong answers the last one. */
async function subscribe(url: string, { authorization, from, payload, onText }: Subscriber): Promise<Socket> {
  const { hostname, port } = new URL(url);
  const socket = connect({ host: hostname, port: Number(port), localAddress: from, noDelay: true });
  const ready = Promise.withResolvers<void>();
  let rest: Buffer = Buffer.alloc(0);
  let isOpen = false;
  socket.on("error", ready.reject);
  socket.on("close", () => ready.reject(new Error("the server closed the connection of a subscriber")));

  function onFrame(opcode: number, text: Buffer): void {
    if (opcode === PONG) return ready.resolve();
    // Without a pong, the server would close the connection.
    if (opcode === PING) return void socket.write(frame(PONG, ""));
    if (opcode !== TEXT)
      return ready.reject(new Error(`the server closed the connection of a subscriber: ${text.toString()}`));
    if (text.indexOf('"type":"connection_ack"') !== -1) {
      socket.write(
        Buffer.concat([frame(TEXT, JSON.stringify({ id: "1", type: "subscribe", payload })), frame(PING, "")]),
      );
    } else if (text.indexOf('"type":"next"') !== -1) onText(text);
    else ready.reject(new Error(`a subscriber received an unexpected message: ${text.toString()}`));
  }

  socket.on("data", (chunk: Buffer) => {
    rest = rest.length === 0 ? chunk : Buffer.concat([rest, chunk]);
    if (!isOpen) {
      const end = rest.indexOf("\r\n\r\n");
      if (end === -1) return;
      if (!rest.toString("latin1", 0, end).includes(" 101 ")) return ready.reject(new Error(rest.toString()));
      isOpen = true;
      rest = rest.subarray(end + 4);
      socket.write(frame(TEXT, JSON.stringify({ type: "connection_init", payload: { authorization } })));
    }
    rest = readFrames(rest, onFrame);
  });
  await once(socket, "connect");
  socket.write(
    `GET /graphql HTTP/1.1\r\nhost: ${hostname}:${port}\r\nupgrade: websocket\r\nconnection: upgrade\r\nsec-websocket-version: 13\r\nsec-websocket-key: dGhlIHNhbXBsZSBub25jZQ==\r\nsec-websocket-protocol: graphql-transport-ws\r\n\r\n`,
  );
  await ready.promise;
  return socket;
}

const [TEXT, PING, PONG] = [1, 9, 10];

/** Passes each complete frame to `onFrame`, and returns the remaining bytes. */
export function readFrames(bytes: Buffer, onFrame: (opcode: number, payload: Buffer) => void): Buffer {
  let at = 0;
  while (bytes.length - at >= 2) {
    const short = (bytes[at + 1] as number) & 127;
    const head = short === 126 ? 4 : short === 127 ? 10 : 2;
    if (bytes.length - at < head) break;
    const length =
      short === 126 ? bytes.readUInt16BE(at + 2) : short === 127 ? Number(bytes.readBigUInt64BE(at + 2)) : short;
    if (bytes.length - at < head + length) break;
    onFrame((bytes[at] as number) & 15, bytes.subarray(at + head, at + head + length));
    at += head + length;
  }
  return bytes.subarray(at);
}

/** Frames of a client must be masked. A mask of zeroes leaves the payload unchanged. */
export function frame(opcode: number, text: string): Buffer {
  const payload = Buffer.from(text);
  const long = payload.length > 125;
  const head = Buffer.from([128 | opcode, 128 | (long ? 126 : payload.length)]);
  const size = Buffer.alloc(long ? 2 : 0);
  if (long) size.writeUInt16BE(payload.length);
  return Buffer.concat([head, size, Buffer.alloc(4), payload]);
}
