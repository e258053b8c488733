// A persistent HTTP connection that sends a request and waits for the answer. It is hand-written over a socket, because the
// client shares the machine with the server under test. It reads only answers of node:http.
import { once } from "node:events";
import { connect } from "node:net";

export interface Answer {
  status: number;
  /** Length of the body in bytes. For a chunked body it includes the framing. */
  length: number;
}

export interface Connection {
  /** Sends one request at a time. Rejects if the connection breaks, or if the server has closed it. */
  send(request: Buffer): Promise<Answer>;
  close(): void;
}

export async function openConnection(url: string): Promise<Connection> {
  const { hostname, port } = new URL(url);
  const socket = connect({ host: hostname, port: Number(port), noDelay: true });
  await once(socket, "connect");
  let pending: PromiseWithResolvers<Answer> | null = null;
  let received: Buffer = Buffer.alloc(0);
  let broken: Error | null = null;
  const fail = (error: Error) => {
    broken ??= error;
    pending?.reject(broken);
  };
  socket.on("error", fail);
  socket.on("close", () => fail(new Error("the connection was closed")));
  socket.on("data", (chunk: Buffer) => {
    received = received.length === 0 ? chunk : Buffer.concat([received, chunk]);
    const answer = parseAnswer(received);
    if (!answer) return;
    received = Buffer.alloc(0);
    pending?.resolve(answer);
  });
  return {
    send(request) {
      pending = Promise.withResolvers();
      if (broken) pending.reject(broken);
      else socket.write(request);
      return pending.promise;
    },
    close: () => void socket.destroy(),
  };
}

/** The bytes of a POST with a JSON body. */
export function postBytes(path: string, authorization: string, body: string, headers: readonly string[] = []): Buffer {
  const head = [
    `POST ${path} HTTP/1.1`,
    "host: 127.0.0.1",
    `authorization: ${authorization}`,
    "content-type: application/json",
    "accept: application/json",
    `content-length: ${Buffer.byteLength(body)}`,
    ...headers,
  ];
  return Buffer.from(`${head.join("\r\n")}\r\n\r\n${body}`);
}

const LAST_CHUNK = Buffer.from("0\r\n\r\n");

/** Null until the answer is complete. */
function parseAnswer(bytes: Buffer): Answer | null {
  const end = bytes.indexOf("\r\n\r\n");
  if (end === -1) return null;
  const head = bytes.toString("latin1", 0, end);
  const length = bytes.length - end - 4;
  const status = Number(head.slice(9, 12));
  const contentLength = /\r\ncontent-length: (\d+)/i.exec(head)?.[1];
  if (contentLength === undefined) return bytes.subarray(-5).equals(LAST_CHUNK) ? { status, length } : null;
  return length < Number(contentLength) ? null : { status, length };
}
