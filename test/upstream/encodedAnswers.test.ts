// What proxies and servers send although identity was asked for: https://github.com/envoyproxy/envoy/issues/2855 (gzip unasked),
// https://github.com/axios/axios/issues/3887 (deflate without its head), https://github.com/oven-sh/bun/pull/31520 (a small window),
// https://github.com/hivesolutions/netius/issues/72 (gzip over brotli, and a head that does not fit).
import { brotliCompressSync, deflateRawSync, deflateSync, gzipSync, zstdCompressSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import { encodeText } from "../support/encodeText.ts";
import { callLogQuery, emptyPage, raw, serve, upstreamAt } from "./service.ts";

const PAGE = Buffer.from(JSON.stringify({ ...emptyPage, total: 0 }));

async function answerTo(body: Buffer, encoding: string) {
  await using service = await serve((response) =>
    response.writeHead(200, { "content-type": "application/json", "content-encoding": encoding }).end(body),
  );
  await using upstream = upstreamAt(service.url);
  const answer = await upstream.listCallLogs(callLogQuery()).catch((error: unknown) => error);
  return { answer, asked: service.asked };
}

describe("An encoded answer of the service", () => {
  it.each<[string, Buffer]>([
    ["gzip", gzipSync(PAGE)],
    ["X-GZIP", gzipSync(PAGE)],
    ["deflate", deflateSync(PAGE)],
    ["deflate", deflateSync(PAGE, { windowBits: 9 })],
    ["deflate", deflateRawSync(PAGE)],
    ["br", brotliCompressSync(PAGE)],
    ["zstd", zstdCompressSync(PAGE)],
    ["gzip, br", brotliCompressSync(gzipSync(PAGE))],
    ["identity", PAGE],
    ["UTF-8", PAGE],
    ["", PAGE],
  ])("is read with the Content-Encoding %j", async (encoding, body) => {
    const { answer, asked } = await answerTo(body, encoding);
    expect(answer).toMatchObject({ rows: [], total: 0 });
    expect(asked[0]?.headers["accept-encoding"]).toBe("identity");
  });

  it.each<[string, Buffer, RegExp]>([
    ["compress", PAGE, /a Content-Encoding that the gateway does not know/],
    ["gzip, gzip, gzip", gzipSync(gzipSync(gzipSync(PAGE))), /does not know/],
    ["constructor", PAGE, /does not know/],
    ["gzip", PAGE, /not what its Content-Encoding says/],
    ["br", gzipSync(PAGE), /not what its Content-Encoding says/],
    ["gzip", gzipSync(PAGE).subarray(0, -4), /not what its Content-Encoding says/],
    ["gzip", gzipSync(Buffer.alloc(17 * 1024 * 1024, " ")), /too large when it is decoded/],
  ])("is refused with the Content-Encoding %j and a body that does not fit", async (encoding, body, message) => {
    const { answer } = await answerTo(body, encoding);
    expect(answer).toMatchObject({ code: "UPSTREAM_CONTRACT", message: expect.stringMatching(message) as string });
  });

  it("that is compressed without a header is named, and not guessed", async () => {
    await using service = await serve(raw(gzipSync(PAGE).toString("latin1")));
    await using upstream = upstreamAt(service.url);
    await expect(upstream.listCallLogs(callLogQuery())).rejects.toMatchObject({ code: "UPSTREAM_CONTRACT" });
  });
});

describe("An answer of the service in another charset", () => {
  const page = JSON.stringify({
    items: [{ sessionId: "1", callee: "张三", assistant: [] }],
    total: 1,
    pageIndex: 1,
    pageSize: 10,
  });
  const answer = async (body: Buffer, type: string) => {
    await using service = await serve((response) => response.writeHead(200, { "content-type": type }).end(body));
    await using upstream = upstreamAt(service.url);
    return await upstream.listCallLogs(callLogQuery()).catch((error: unknown) => error);
  };

  it.each([
    ["gbk", "application/json; charset=GBK"],
    ["gbk", "application/json;charset=gb2312"],
    ["utf-16le", "application/json"],
    ["utf-8", "application/json; charset=ISO-8859-1"],
  ] as const)("is read in %s with the Content-Type %s", async (charset, type) => {
    expect(await answer(encodeText(page, charset), type)).toMatchObject({ rows: [{ callee: "张三" }] });
  });

  it("is refused where it declares none", async () => {
    expect(await answer(encodeText(page, "gbk"), "application/json")).toMatchObject({
      code: "UPSTREAM_CONTRACT",
      message: expect.stringContaining("not valid UTF-8") as string,
    });
  });
});
