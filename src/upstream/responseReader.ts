// Reads HTTP/1.1 responses to GETs from the bytes of a connection (RFC 9112). It is strict: a response whose end is not certain is
// an error, because the next response would be read from the wrong byte.
import { contractError } from "./serviceResponse.ts";

export interface ResponseHead {
  status: number;
  /** By lower-case name. Values of a repeated header are joined with ", ". */
  headers: ReadonlyMap<string, string>;
  /** Whether the connection takes another request after this response. */
  keepsAlive: boolean;
}

export interface ResponseSink {
  /** Called for the final response, not for a 1xx. Returns the most bytes that its body may have. */
  onHead(head: ResponseHead): number;
  /** `body` is valid only during the call; null: it is larger than allowed, and was not read to its end. */
  onEnd(body: Buffer | null, keepsAlive: boolean): void;
}

export interface ResponseReader {
  /** Expects the response to a request. To be called for each one, after the end of the last response. */
  start(sink: ResponseSink): void;
  /** `bytes` are used only during the call. Throws UPSTREAM_CONTRACT if they are not the expected response. */
  read(bytes: Buffer): void;
  /** The connection has ended, which may end a response. */
  end(): void;
}

/** As Node's own limit. Trailers are ignored; each of their lines has this limit, too. */
const MAX_HEAD_BYTES = 16 * 1024;
/** The line before a chunk holds its size and perhaps extensions. */
const MAX_CHUNK_LINE_BYTES = 1024;
const MIN_BUFFER_BYTES = 4096;
const NO_BYTES: Buffer = Buffer.alloc(0);

const STATUS_LINE = /^HTTP\/1\.([01]) ([1-5]\d\d)(?: [^\r\n\0]*)?$/;
const HEADER_LINE = /^([\w!#$%&'*+.^`|~-]+):([^\r\n\0]*)$/;
const CHUNK_LINE = /^([0-9a-f]{1,8})[ \t]*(?:;[^\r\n\0]*)?$/i;

/** What the next bytes are. "over": no response is expected. */
type Part = "head" | "fixed body" | "body to the end" | "chunk line" | "chunk" | "chunk end" | "trailers" | "over";

export function createResponseReader(): ResponseReader {
  let part: Part = "over";
  /** Null between two responses, so that nothing of the last request stays in memory. */
  let sink: ResponseSink | null = null;
  let keepsAlive = false;
  /** The first bytes of a head or line that is not complete. */
  let partial: Buffer = NO_BYTES;
  /** Holds `size` bytes of the body. */
  let body: Buffer = NO_BYTES;
  let size = 0;
  let maxSize = 0;
  /** Bytes that are missing of a fixed body or of a chunk. */
  let missing = 0;

  /** Returns where the next part begins. */
  function readPart(bytes: Buffer, at: number): number {
    switch (part) {
      case "over":
        throw notHttp();
      case "head":
        return readTo("\r\n\r\n", MAX_HEAD_BYTES, bytes, at, takeHead);
      case "chunk line":
        return readTo("\r\n", MAX_CHUNK_LINE_BYTES, bytes, at, takeChunkLine);
      case "chunk end":
        return readTo("\r\n", 0, bytes, at, () => (part = "chunk line"));
      case "trailers":
        return readTo("\r\n", MAX_HEAD_BYTES, bytes, at, (line) => line === "" && finish());
      case "fixed body":
      case "chunk":
      case "body to the end":
        break;
    }
    return readBody(bytes, at);
  }
  /** Calls `take` with the text before the mark, once it has arrived. */
  function readTo(mark: string, maxBytes: number, bytes: Buffer, at: number, take: (text: string) => void): number {
    const rest = bytes.subarray(at);
    const source = partial.length > 0 ? Buffer.concat([partial, rest]) : rest;
    const length = source.indexOf(mark);
    if ((length === -1 ? source.length - mark.length : length) > maxBytes) throw notHttp();
    const next = at - partial.length + length + mark.length;
    partial = length === -1 ? Buffer.from(source) : NO_BYTES;
    if (length === -1) return bytes.length;
    take(source.toString("latin1", 0, length));
    return next;
  }
  function takeHead(text: string): void {
    const head = parseHead(text);
    // An interim response: the final one follows.
    if (head.status < 200) return;
    keepsAlive = head.keepsAlive;
    maxSize = sink?.onHead(head) ?? 0;
    const length = head.headers.get("content-length");
    if (head.status === 204 || head.status === 304) return finish();
    if (head.headers.has("transfer-encoding")) part = "chunk line";
    else if (length === undefined) part = "body to the end";
    else {
      part = "fixed body";
      missing = Number(length);
      if (missing > maxSize) cut();
      else if (missing === 0) finish();
    }
  }
  function takeChunkLine(line: string): void {
    const digits = CHUNK_LINE.exec(line)?.[1];
    if (digits === undefined) throw notHttp();
    missing = Number.parseInt(digits, 16);
    part = missing === 0 ? "trailers" : "chunk";
  }
  function readBody(bytes: Buffer, at: number): number {
    const end = part === "body to the end" ? bytes.length : Math.min(bytes.length, at + missing);
    const read = bytes.subarray(at, end);
    missing -= read.length;
    if (size + read.length > maxSize) cut();
    else if (part === "fixed body" && missing === 0) finish(read);
    else append(read);
    if (part === "chunk" && missing === 0) part = "chunk end";
    return end;
  }
  function append(read: Buffer): void {
    if (size + read.length > body.length) {
      const larger = Buffer.allocUnsafeSlow(Math.max(2 * body.length, size + read.length, MIN_BUFFER_BYTES));
      body.copy(larger, 0, 0, size);
      body = larger;
    }
    read.copy(body, size);
    size += read.length;
  }
  /** `last`: the last bytes of the body. A body that came at once is not copied. */
  function finish(last: Buffer = NO_BYTES): void {
    if (size > 0) append(last);
    const whole = size > 0 ? body.subarray(0, size) : last;
    takeSink()?.onEnd(whole, keepsAlive);
  }
  function cut(): void {
    takeSink()?.onEnd(null, false);
  }
  /** Ends the response and returns its sink. */
  function takeSink(): ResponseSink | null {
    const left = sink;
    part = "over";
    sink = null;
    [body, size] = [NO_BYTES, 0];
    return left;
  }

  return {
    start(next) {
      sink = next;
      part = "head";
    },
    read(bytes) {
      for (let at = 0; at < bytes.length;) at = readPart(bytes, at);
    },
    end() {
      keepsAlive = false;
      if (part === "body to the end") finish();
    },
  };
}

function parseHead(text: string): ResponseHead {
  const [statusLine = "", ...lines] = text.split("\r\n");
  const [, version, code] = STATUS_LINE.exec(statusLine) ?? [];
  // 101 would switch to another protocol.
  if (code === undefined || code === "101") throw notHttp();
  const headers = parseHeaders(lines);
  const [length, encoding] = [headers.get("content-length"), headers.get("transfer-encoding")];
  const isFixed = length === undefined || (encoding === undefined && /^\d{1,15}$/.test(length));
  const isChunked = encoding === undefined || (version === "1" && encoding.toLowerCase() === "chunked");
  if (!isFixed || !isChunked) throw notHttp();
  const connection = headers.get("connection")?.toLowerCase() ?? "";
  const keepsAlive = version === "1" ? !connection.includes("close") : connection.includes("keep-alive");
  return { status: Number(code), headers, keepsAlive };
}

function parseHeaders(lines: readonly string[]): Map<string, string> {
  const headers = new Map<string, string>();
  for (const line of lines) {
    const [, name, value] = HEADER_LINE.exec(line) ?? [];
    if (name === undefined || value === undefined) throw notHttp();
    const key = name.toLowerCase();
    const earlier = headers.get(key);
    headers.set(key, earlier === undefined ? value.trim() : `${earlier}, ${value.trim()}`);
  }
  return headers;
}

/** Without a cause and without the bytes, which may hold a secret. */
function notHttp(): Error {
  return contractError("The service's answer is not valid HTTP.");
}
