// Answers that services, their proxies and hosts of pages gave to a request for a list, with what they mean. Each with the address at
// which it was met.
import { brotliCompressSync, deflateRawSync, deflateSync, gzipSync } from "node:zlib";

export interface ServiceAnswer {
  what: string;
  status?: number;
  headers?: Record<string, string>;
  body: string | Buffer;
  /** The count of calls, or the code of the error. */
  right: { total: number } | { code: string };
  source: string;
}

const github = (path: string) => `https://github.com/${path}`;
const EMPTY = JSON.stringify({ items: [], total: 0, pageIndex: 1, pageSize: 10 });
const PAGE = `<!DOCTYPE html><html><head><title>Log in</title></head><body></body></html>`;
const CONTRACT = { code: "UPSTREAM_CONTRACT" };
const JSON_TYPE = "application/json";

const encoded = (what: string, encoding: string, body: Buffer, right: ServiceAnswer["right"], path: string) => ({
  what,
  headers: { "content-type": JSON_TYPE, "content-encoding": encoding },
  body,
  right,
  source: github(path),
});

export const serviceAnswers: readonly ServiceAnswer[] = [
  // Lists of a service in Go
  {
    what: "null for an empty list",
    body: '{"items":null,"total":0,"pageIndex":1,"pageSize":10}',
    right: { total: 0 },
    source: github("NebulousLabs/Sia/issues/2760"),
  },
  {
    what: "null for an empty list, with other fields",
    body: '{"total":0,"count":0,"items":null,"pageIndex":1,"pageSize":10}',
    right: { total: 0 },
    source: github("flatcar/nebraska/pull/1453"),
  },
  { what: "null for everything", body: "null", right: CONTRACT, source: github("flatcar/nebraska/issues/588") },
  { what: "a list alone", body: "[]", right: CONTRACT, source: github("mittwald/servicegateway/issues/34") },
  {
    what: "no list where it is empty",
    body: '{"total":0,"pageIndex":1,"pageSize":10}',
    right: CONTRACT,
    source: github("miniflux/v2/pull/125"),
  },
  {
    what: "an error with the status 200",
    body: '{"result":"failure","errors":[{"code":"0200","text":"The token is unknown."}]}',
    right: CONTRACT,
    source: github("ohmage/server/issues/494"),
  },
  // Text
  {
    what: "a byte order mark",
    body: `\uFEFF${EMPTY}`,
    right: { total: 0 },
    source: github("nedpals/jisoni/issues/1"),
  },
  {
    what: "UTF-16 with a byte order mark",
    body: Buffer.from(`\uFEFF${EMPTY}`, "utf16le"),
    right: { total: 0 },
    source: github("jqlang/jq/issues/2351"),
  },
  { what: "zero-width spaces", body: `\u200b${EMPTY}`, right: CONTRACT, source: github("bhollis/jsonview/issues/129") },
  // Pages of proxies and walls
  {
    what: "a page of a wall with the status 200",
    headers: { "content-type": "text/html; charset=utf-8" },
    body: PAGE,
    right: CONTRACT,
    source: github("klzgrad/naiveproxy/issues/694"),
  },
  {
    what: "a page that is said to be JSON",
    headers: { "content-type": JSON_TYPE },
    body: PAGE,
    right: CONTRACT,
    source: github("telerik/nativescript-cloud/pull/86"),
  },
  {
    what: "a page of a proxy with the status 502",
    status: 502,
    headers: { "content-type": "text/html" },
    body: PAGE,
    right: { code: "UPSTREAM_UNAVAILABLE" },
    source: github("inverse-inc/packetfence/issues/4521"),
  },
  {
    what: "a page of a server with the status 405",
    status: 405,
    headers: { "content-type": "text/html" },
    body: PAGE,
    right: { code: "UPSTREAM_REJECTED" },
    source: github("parrot-translate/parrot/issues/32"),
  },
  {
    what: "a page with the status 404",
    status: 404,
    headers: { "content-type": "text/html; charset=utf-8" },
    body: PAGE,
    right: { code: "UPSTREAM_REJECTED" },
    source: github("cenit-io/cenit/issues/712"),
  },
  {
    what: "the status 400 for a token that has expired",
    status: 400,
    headers: { "content-type": JSON_TYPE },
    body: '{"detail":"Token has expired"}',
    right: { code: "UPSTREAM_REJECTED" },
    source: github("JamesRitchie/django-rest-framework-expiring-tokens/issues/25"),
  },
  // Encodings
  encoded("gzip unasked", "gzip", gzipSync(EMPTY), { total: 0 }, "envoyproxy/envoy/issues/2855"),
  encoded("deflate without its head", "deflate", deflateRawSync(EMPTY), { total: 0 }, "axios/axios/issues/3887"),
  encoded(
    "deflate with a small window",
    "deflate",
    deflateSync(EMPTY, { windowBits: 9 }),
    { total: 0 },
    "oven-sh/bun/pull/31520",
  ),
  encoded(
    "gzip, and brotli over it",
    "gzip, br",
    brotliCompressSync(gzipSync(EMPTY)),
    { total: 0 },
    "hivesolutions/netius/issues/72",
  ),
  encoded(
    "deflate, and gzip over it",
    "deflate, gzip",
    gzipSync(deflateSync(EMPTY)),
    { total: 0 },
    "Netflix/zuul/pull/1168",
  ),
  encoded("gzip twice and told once", "gzip", gzipSync(gzipSync(EMPTY)), CONTRACT, "drpcorg/nodecore/issues/268"),
  encoded("gzip once and told twice", "gzip, gzip", gzipSync(EMPTY), CONTRACT, "yhirose/cpp-httplib/issues/993"),
  encoded("gzip that is told, and not there", "gzip", Buffer.from(EMPTY), CONTRACT, "jolibrain/deepdetect/issues/176"),
  {
    what: "gzip that is not told, of an error",
    status: 403,
    body: gzipSync('{"alerts":[]}'),
    right: { code: "UPSTREAM_REJECTED" },
    source: github("apache/trafficcontrol/issues/1737"),
  },
  {
    what: "an encoding of nothing",
    status: 304,
    headers: { "content-encoding": "gzip" },
    body: "",
    right: CONTRACT,
    source: github("dotMorten/SharpGIS.GZipWebClient/pull/8"),
  },
];

export interface RetryTime {
  what: string;
  /** The text of Retry-After. */
  header: string;
  /** Undefined: it says nothing. */
  seconds: number | undefined;
  source: string;
}

const after = (what: string, header: string, seconds: number | undefined, path: string): RetryTime => ({
  what,
  header,
  seconds,
  source: github(path),
});

export const retryTimes: readonly RetryTime[] = [
  after("a fraction of a second", "0.493", 1, "SpaceTradersAPI/api-docs/issues/24"),
  after("seconds with a fraction", "2.128", 3, "microsoftgraph/microsoft-graph-docs-contrib/issues/2024"),
  after("negative seconds", "-5", undefined, "apify/crawlee-python/pull/1995"),
  after("a time of Unix that is over", "1771404540", 0, "openclaw/clawhub/pull/421"),
  after("a time of Unix in milliseconds", "1771404540000", 0, "openclaw/clawhub/pull/421"),
  after("a time of HTTP that is over", "Wed, 21 Oct 2015 07:28:00 GMT", 0, "cline/cline/pull/14213"),
  after("hexadecimal digits", "0x10", undefined, "cline/cline/pull/14213"),
  after("an exponent", "1e3", undefined, "cline/cline/pull/14213"),
];
