// Simulates many WebSocket subscribers in one process over bare sockets. A WebSocket library would be slower than the servers
// under test. It reads whole, unmasked frames, as Node's servers write them.
import { once } from "node:events";
import { connect, type Socket } from "node:net";

export interface Audience {
  /** Resolves with the time of each arrival, when every subscriber was told so many more; throws when they are not. */
  receive(events: number): Promise<Float64Array>;
  /** What the first subscriber was told last. */
  last(): string;
  /** Throws unless every subscriber was told each of these sessions once, all in the same order. */
  check(sessions: readonly string[]): void;
  close(): void;
}

export interface AudienceOptions {
  size: number;
  /** Authorization headers, which the subscribers share out. */
  clients: readonly string[];
  payload: unknown;
}

const OPENED_AT_ONCE = 50;
const PATIENCE_MS = 120_000;
const SESSION = Buffer.from('"sessionId":"');

export async function openAudience(url: string, { size, clients, payload }: AudienceOptions): Promise<Audience> {
  const sessions = Array.from({ length: size }, (): string[] => []);
  const sockets: Socket[] = [];
  let arrivals = new Float64Array(0);
  let arrived = 0;
  let last = Buffer.alloc(0);
  let whole: PromiseWithResolvers<void> | null = null;

  const onText = (at: number) => (text: Buffer) => {
    if (arrived < arrivals.length) arrivals[arrived] = performance.now();
    arrived += 1;
    if (at === 0) last = Buffer.from(text);
    const from = text.indexOf(SESSION) + SESSION.length;
    sessions[at]?.push(text.toString("latin1", from, text.indexOf('"', from)));
    if (arrived >= arrivals.length) whole?.resolve();
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
      whole = Promise.withResolvers();
      const timer = setTimeout(
        () => whole?.reject(new Error(`${arrived} of ${events * size} deliveries came`)),
        PATIENCE_MS,
      );
      await whole.promise.finally(() => clearTimeout(timer));
      return arrivals;
    },
    last: () => last.toString(),
    check(expected) {
      const order = expected.toSorted().join();
      const first = sessions[0] ?? [];
      const isEachOnce = first.toSorted().join() === order;
      const told = first.join();
      if (!isEachOnce || sessions.some((one) => one.join() !== told))
        throw new Error("subscribers were not told each once");
    },
    close: () => sockets.forEach((socket) => socket.destroy()),
  };
}

/** As from many machines, for one address may hold a thousand connections. The loopback of Linux is 127.0.0.0/8. */
function addressOf(subscriber: number): string {
  return `127.0.0.${1 + Math.floor(subscriber / 500)}`;
}

interface Subscriber {
  authorization: string;
  /** The address it comes from. */
  from: string;
  payload: unknown;
  onText: (text: Buffer) => void;
}

/** Resolves when the subscription was read: frames are read in order, and the pong is the answer to what was sent last. */
async function subscribe(url: string, { authorization, from, payload, onText }: Subscriber): Promise<Socket> {
  const { hostname, port } = new URL(url);
  const socket = connect({ host: hostname, port: Number(port), localAddress: from, noDelay: true });
  const stands = Promise.withResolvers<void>();
  let rest: Buffer = Buffer.alloc(0);
  let isOpen = false;
  socket.on("error", stands.reject);
  socket.on("close", () => stands.reject(new Error("a subscriber was sent away")));

  function onFrame(opcode: number, text: Buffer): void {
    if (opcode === PONG) return stands.resolve();
    // Unanswered, a server would take it for gone.
    if (opcode === PING) return void socket.write(frame(PONG, ""));
    if (opcode !== TEXT) return stands.reject(new Error(`a subscriber was sent away: ${text.toString()}`));
    if (text.indexOf('"type":"connection_ack"') !== -1) {
      socket.write(
        Buffer.concat([frame(TEXT, JSON.stringify({ id: "1", type: "subscribe", payload })), frame(PING, "")]),
      );
    } else if (text.indexOf('"type":"next"') !== -1) onText(text);
    else stands.reject(new Error(`a subscriber was told ${text.toString()}`));
  }

  socket.on("data", (chunk: Buffer) => {
    rest = rest.length === 0 ? chunk : Buffer.concat([rest, chunk]);
    if (!isOpen) {
      const end = rest.indexOf("\r\n\r\n");
      if (end === -1) return;
      if (!rest.toString("latin1", 0, end).includes(" 101 ")) return stands.reject(new Error(rest.toString()));
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
  await stands.promise;
  return socket;
}

const [TEXT, PING, PONG] = [1, 9, 10];

/** Gives each whole frame, and returns what is left. */
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

/** A client's frames are masked; with zeroes, which change nothing. */
export function frame(opcode: number, text: string): Buffer {
  const payload = Buffer.from(text);
  const long = payload.length > 125;
  const head = Buffer.from([128 | opcode, 128 | (long ? 126 : payload.length)]);
  const size = Buffer.alloc(long ? 2 : 0);
  if (long) size.writeUInt16BE(payload.length);
  return Buffer.concat([head, size, Buffer.alloc(4), payload]);
}
