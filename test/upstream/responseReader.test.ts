import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createResponseReader } from "../../src/upstream/responseReader.ts";

interface Read {
  status?: number;
  /** Null: it was cut. */
  body?: string | null;
  keepsAlive?: boolean;
  /** The code of the error, also after the end of the response. */
  error?: string;
}

/** Reads a response from bytes that arrive in parts, up to the end of the connection. */
function readResponse(text: string, cuts: readonly number[] = [], maxSize = 1000): Read {
  const bytes = Buffer.from(text, "latin1");
  const reader = createResponseReader();
  const read: Read = {};
  reader.start({
    onHead({ status }) {
      read.status = status;
      return maxSize;
    },
    onEnd(body, keepsAlive) {
      read.body = body && body.toString("latin1");
      read.keepsAlive = keepsAlive;
    },
  });
  const ends = [...new Set(cuts.map((cut) => cut % bytes.length))].toSorted((a, b) => a - b);
  try {
    for (const [index, start] of [0, ...ends].entries()) {
      // Copied and then cleared, because the reader may keep none of the bytes that it gets.
      const part = Buffer.from(bytes.subarray(start, ends[index] ?? bytes.length));
      reader.read(part);
      part.fill(0);
    }
    reader.end();
  } catch (error) {
    read.error = (error as { code: string }).code;
  }
  return read;
}

const OK = "HTTP/1.1 200 OK\r\n";
const whole: [string, string, Read][] = [
  ["of a known length", `${OK}Content-Length: 5\r\n\r\nhello`, { status: 200, body: "hello", keepsAlive: true }],
  ["without a body", `${OK}content-length:0\r\n\r\n`, { status: 200, body: "", keepsAlive: true }],
  ["204, whatever its length", "HTTP/1.1 204 No\r\n\r\n", { status: 204, body: "", keepsAlive: true }],
  ["304", "HTTP/1.1 304\r\nContent-Length: 7\r\n\r\n", { status: 304, body: "", keepsAlive: true }],
  [
    "in chunks, with an extension and a trailer",
    `${OK}Transfer-Encoding: Chunked\r\n\r\n3;a=b\r\nhel\r\n0002\r\nlo\r\n0\r\nx-after: 1\r\n\r\n`,
    { status: 200, body: "hello", keepsAlive: true },
  ],
  ["that ends with the connection", `${OK}\r\nhello`, { status: 200, body: "hello", keepsAlive: false }],
  [
    "after interim responses",
    `HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 103\r\nlink: x\r\n\r\n${OK}content-length: 2\r\n\r\nok`,
    { status: 200, body: "ok", keepsAlive: true },
  ],
  ["of HTTP/1.0", "HTTP/1.0 200 OK\r\ncontent-length: 2\r\n\r\nok", { status: 200, body: "ok", keepsAlive: false }],
  [
    "of HTTP/1.0 that keeps its connection",
    "HTTP/1.0 200 OK\r\nconnection: Keep-Alive\r\ncontent-length: 2\r\n\r\nok",
    { status: 200, body: "ok", keepsAlive: true },
  ],
  [
    "that is the last of its connection",
    `${OK}Connection: foo, Close\r\ncontent-length: 2\r\n\r\nok`,
    { status: 200, body: "ok", keepsAlive: false },
  ],
];

describe("a response", () => {
  it.each(whole)("%s is read, in whatever parts it arrives", (_name, text, expected) => {
    expect(readResponse(text)).toEqual(expected);
    const cuts = fc.array(fc.nat(200), { maxLength: 8 });
    fc.assert(
      fc.property(cuts, (at) => {
        expect(readResponse(text, at)).toEqual(expected);
      }),
    );
    expect(
      readResponse(
        text,
        Array.from({ length: text.length }, (_, at) => at),
      ),
    ).toEqual(expected);
  });

  it.each<[string, string]>([
    ["of a known length", `${OK}content-length: 1001\r\n\r\n`],
    ["in chunks", `${OK}transfer-encoding: chunked\r\n\r\n3E9\r\n${"x".repeat(1001)}\r\n0\r\n\r\n`],
    ["that ends with the connection", `${OK}\r\n${"x".repeat(1001)}`],
  ])("%s beyond its limit is cut, and its connection is not used again", (_name, text) => {
    expect(readResponse(text)).toMatchObject({ status: 200, body: null, keepsAlive: false });
  });

  it.each<[string, string]>([
    ["of a known length", `${OK}content-length: 5\r\n\r\nhell`],
    ["in chunks", `${OK}transfer-encoding: chunked\r\n\r\n5\r\nhello\r\n`],
    ["in its head", `${OK}content-length: 5\r\n`],
  ])("%s that the connection cuts off has no end", (_name, text) => {
    const read = readResponse(text);
    expect([read.body, read.error]).toEqual([undefined, undefined]);
  });
});

describe("bytes that are not one response", () => {
  it.each<[string, string]>([
    ["a length and chunks", `${OK}content-length: 5\r\ntransfer-encoding: chunked\r\n\r\n0\r\n\r\n`],
    ["two lengths", `${OK}content-length: 2\r\ncontent-length: 3\r\n\r\nabc`],
    ["a length that is not a number", `${OK}content-length: +2\r\n\r\nab`],
    ["an unknown transfer encoding", `${OK}transfer-encoding: gzip, chunked\r\n\r\n0\r\n\r\n`],
    ["chunks of HTTP/1.0", "HTTP/1.0 200 OK\r\ntransfer-encoding: chunked\r\n\r\n0\r\n\r\n"],
    ["a header over two lines", `${OK}a: b\r\n c\r\ncontent-length: 0\r\n\r\n`],
    ["a space before the colon", `${OK}content-length : 0\r\n\r\n`],
    ["a header without a name", `${OK}: 0\r\n\r\n`],
    ["a line feed alone", `${OK}a: b\ncontent-length: 0\r\n\r\n`],
    ["a carriage return alone", `${OK}a: b\rc\r\ncontent-length: 0\r\n\r\n`],
    ["a null byte", `${OK}a: \0\r\ncontent-length: 0\r\n\r\n`],
    ["another protocol", "HTTP/2 200\r\n\r\n"],
    ["a switch of protocols", "HTTP/1.1 101 Switching\r\n\r\n"],
    ["a status of two digits", "HTTP/1.1 20 OK\r\n\r\n"],
    ["a head beyond 16 KB", `${OK}a: ${"x".repeat(17_000)}`],
    ["a chunk without a size", `${OK}transfer-encoding: chunked\r\n\r\n\r\n`],
    ["a chunk of a negative size", `${OK}transfer-encoding: chunked\r\n\r\n-1\r\n`],
    ["a chunk that is longer than its size", `${OK}transfer-encoding: chunked\r\n\r\n1\r\nab\r\n0\r\n\r\n`],
    ["an endless line before a chunk", `${OK}transfer-encoding: chunked\r\n\r\n1;${"x".repeat(2000)}`],
  ])("are an error: %s", (_name, text) => {
    expect(readResponse(text)).toMatchObject({ error: "UPSTREAM_CONTRACT" });
    expect(readResponse(text).body).toBeUndefined();
  });

  it("are an error after the end of the response, which stays as it was", () => {
    const text = `${OK}content-length: 2\r\n\r\nok${OK}content-length: 2\r\n\r\nno`;
    expect(readResponse(text)).toEqual({ status: 200, body: "ok", keepsAlive: true, error: "UPSTREAM_CONTRACT" });
  });
});
