// The parts of an attack: connections that send requests and read at a chosen pace, and WebSockets that reconnect.
import { connect, type Socket } from "node:net";
import { WebSocket } from "ws";
import type { Scope } from "../../src/auth/scopes.ts";

export interface Victim {
  url: string;
  /** The Authorization header with the attacker's key. */
  authorization: string;
  /** A server of recordings that the gateway fetches. */
  soundsUrl: string;
  /** A router that the gateway may call. */
  routerUrl: string;
  /** Called for each request, message or connection that was sent. */
  onAttempt: () => void;
}

export interface Attack {
  transport: "HTTP" | "WebSocket" | "SSE";
  /** Null: the attacker has no credentials. */
  scopes: readonly Scope[] | null;
  begin: (victim: Victim) => void | Promise<void>;
}

const AGAIN_MS = 50;

/** How the attacker reads an answer: at once, never, or a byte in each interval. */
export type Pace = "fast" | "never" | { byteEveryMs: number };

/** Opens `connections` that write `bytes` and read at `pace`. Each reopens when it is closed, or after `leaveMs`. */
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

/** Calls `onAnswer` when an answer with a length is complete. Any other answer is read until the connection closes. */
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

/** Opens `connections` WebSockets that reconnect when they are closed. `talk` may write at once and later, until the close. */
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

/** Authenticates with the key, then calls `subscribe` to send operations after the acknowledgement. */
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
