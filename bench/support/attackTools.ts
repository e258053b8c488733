// What an attacker does over and over: connections that ask and read as they like, and sockets that come back.
import { connect, type Socket } from "node:net";
import { WebSocket } from "ws";

export interface Victim {
  url: string;
  /** The header of the attacker's key. */
  authorization: string;
  /** Called once for each request, message or connection that left. */
  onAttempt: () => void;
}

const AGAIN_MS = 50;

/** What an answer is read at: at once, never, or a byte in so many milliseconds. */
export type Pace = "fast" | "never" | { byteEveryMs: number };

/** `connections` at a time, each of which writes `bytes`, reads at its pace, and begins anew when it is closed or `leaveMs` are over. */
export function flood(
  victim: Victim,
  options: { connections: number; bytes: () => Buffer; pace?: Pace; leaveMs?: number },
): void {
  const { connections, bytes, pace = "fast", leaveMs } = options;
  const { hostname, port } = new URL(victim.url);
  const once = (): void => {
    const socket = connect({ host: hostname, port: Number(port) });
    socket.on("error", () => undefined);
    socket.once("connect", () => {
      victim.onAttempt();
      socket.write(bytes());
    });
    const timer = leaveMs === undefined ? undefined : setTimeout(() => socket.destroy(), leaveMs);
    readAt(pace, socket, () => {
      victim.onAttempt();
      socket.write(bytes());
    });
    socket.once("close", () => {
      clearTimeout(timer);
      setTimeout(once, AGAIN_MS);
    });
  };
  for (let at = 0; at < connections; at += 1) once();
}

function readAt(pace: Pace, socket: Socket, onAnswer: () => void): void {
  if (pace === "never") socket.pause();
  else if (pace === "fast") askAgain(socket, onAnswer);
  else {
    socket.pause();
    const timer = setInterval(() => socket.read(1), pace.byteEveryMs);
    socket.once("close", () => clearInterval(timer));
  }
}

/** Asks again when an answer with a length is whole; any other answer is read to the end of the connection. */
function askAgain(socket: Socket, onAnswer: () => void): void {
  let missing = 0;
  socket.on("data", (chunk: Buffer) => {
    if (missing === 0) {
      const end = chunk.indexOf("\r\n\r\n");
      const length = /content-length: (\d+)/i.exec(chunk.toString("latin1", 0, Math.max(0, end)))?.[1];
      if (end === -1 || length === undefined) return;
      missing = Number(length) - (chunk.length - end - 4);
    } else missing -= chunk.length;
    if (missing <= 0) {
      missing = 0;
      onAnswer();
    }
  });
}

/** `connections` sockets that come back. `talk` may write at once and again later; the socket's close ends it. */
export function sockets(
  victim: Victim,
  connections: number,
  talk: (socket: WebSocket) => void,
  leaveMs?: number,
): void {
  const once = (): void => {
    const socket = new WebSocket(`${victim.url.replace("http", "ws")}/graphql`, "graphql-transport-ws");
    socket.on("error", () => undefined);
    socket.once("open", () => {
      victim.onAttempt();
      talk(socket);
    });
    const timer = leaveMs === undefined ? undefined : setTimeout(() => socket.terminate(), leaveMs);
    socket.once("close", () => {
      clearTimeout(timer);
      setTimeout(once, AGAIN_MS);
    });
  };
  for (let at = 0; at < connections; at += 1) once();
}

/** Begins with the key, then has `subscribe` send operations once the gateway knows the attacker. */
export function begun(
  victim: Victim,
  subscribe: (ask: (query: string, variables?: unknown) => void, socket: WebSocket) => void,
) {
  return (socket: WebSocket): void => {
    socket.send(JSON.stringify({ type: "connection_init", payload: { authorization: victim.authorization } }));
    let id = 0;
    socket.once("message", () =>
      subscribe((query, variables) => {
        victim.onAttempt();
        id += 1;
        socket.send(JSON.stringify({ id: String(id), type: "subscribe", payload: { query, variables } }));
      }, socket),
    );
  };
}
