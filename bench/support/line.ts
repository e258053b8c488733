// A persistent HTTP connection that sends a request and waits for the answer. It is hand-written over a socket, because the
// client shares the machine with the server under test. It reads only answers of node:http.
import { once } from "node:events";
import { connect } from "node:net";

export interface Answer {
  status: number;
  /** Length of the body; with a chunked one, its framing included. */
  length: number;
}

export interface Line {
  /** One request at a time. Rejects when the connection breaks, or was closed before by the server. */
  ask(request: Buffer): Promise<Answer>;
  close(): void;
}

export async function openLine(url: string): Promise<Line> {
  const { hostname, port } = new URL(url);
  const socket = connect({ host: hostname, port: Number(port), noDelay: true });
  await once(socket, "connect");
  let asked: PromiseWithResolvers<Answer> | null = null;
  let seen: Buffer = Buffer.alloc(0);
  let broken: Error | null = null;
  const fail = (error: Error) => {
    broken ??= error;
    asked?.reject(broken);
  };
  socket.on("error", fail);
  socket.on("close", () => fail(new Error("the connection was closed")));
  socket.on("data", (chunk: Buffer) => {
    seen = seen.length === 0 ? chunk : Buffer.concat([seen, chunk]);
    const answer = wholeAnswer(seen);
    if (!answer) return;
    seen = Buffer.alloc(0);
    asked?.resolve(answer);
  });
  return {
    ask(request) {
      asked = Promise.withResolvers();
      if (broken) asked.reject(broken);
      else socket.write(request);
      return asked.promise;
    },
    close: () => void socket.destroy(),
  };
}

/** A whole POST with a JSON body. */
export function postBytes(path: string, authorization: string, body: string): Buffer {
  const head = [
    `POST ${path} HTTP/1.1`,
    "host: 127.0.0.1",
    `authorization: ${authorization}`,
    "content-type: application/json",
    "accept: application/json",
    `content-length: ${Buffer.byteLength(body)}`,
  ];
  return Buffer.from(`${head.join("\r\n")}\r\n\r\n${body}`);
}

const LAST_CHUNK = Buffer.from("0\r\n\r\n");

/** Null as long as something of it is missing. */
function wholeAnswer(bytes: Buffer): Answer | null {
  const end = bytes.indexOf("\r\n\r\n");
  if (end === -1) return null;
  const head = bytes.toString("latin1", 0, end);
  const length = bytes.length - end - 4;
  const status = Number(head.slice(9, 12));
  const due = /\r\ncontent-length: (\d+)/i.exec(head)?.[1];
  if (due === undefined) return bytes.subarray(-5).equals(LAST_CHUNK) ? { status, length } : null;
  return length < Number(due) ? null : { status, length };
}
