// Services that send their responses in odd ways.
import { gzipSync } from "node:zlib";
import type { ServerResponse } from "node:http";
import type { Oddity, Outgoing } from "../service.ts";
import type { OddService } from "../examine.ts";
import type { Random } from "../world.ts";

const odd = (name: string, sends: NonNullable<Oddity["send"]>, more: Partial<OddService> = {}): OddService => ({
  name,
  oddity: { send: sends },
  affects: ["lists", "task"],
  ...more,
});
const sometimes = (share: number, change: (out: Outgoing, response: ServerResponse) => Outgoing | null) => {
  return (out: Outgoing, response: ServerResponse, random: Random) =>
    random.chance(share) ? change(out, response) : out;
};
const raw = (write: (response: ServerResponse, out: Outgoing) => void) => (out: Outgoing, response: ServerResponse) => {
  write(response, out);
  return null;
};
const failing =
  (status: number, headers: Record<string, string> = {}) =>
  () => ({ status, headers, text: "{}" });
const body = (change: (text: string) => string) => (out: Outgoing) => ({ ...out, text: change(out.text) });

const transparent: OddService[] = [
  odd(
    "begins its JSON with a byte order mark",
    body((text) => `\uFEFF${text}`),
    { affects: [] },
  ),
  odd(
    "puts blanks and lines around its JSON",
    body((text) => ` \r\n${text}\n\n`),
    { affects: [] },
  ),
  odd(
    "escapes all of its texts",
    body((text) =>
      text.replaceAll(/[^\x20-\x7e]/g, (each) => `\\u${each.charCodeAt(0).toString(16).padStart(4, "0")}`),
    ),
    { affects: [] },
  ),
  odd(
    "sends its answers in small pieces",
    raw((response, out) => {
      response.writeHead(out.status, out.headers);
      const pieces = out.text.match(/[^]{1,2000}/gu) ?? [];
      const next = (at: number): void => {
        if (at >= pieces.length) return void response.end();
        response.write(pieces[at]);
        setImmediate(next, at + 1);
      };
      next(0);
    }),
    { affects: [] },
  ),
  odd(
    "compresses its answers where that is accepted",
    (out, response, _, { headers }) => {
      if (!headers["accept-encoding"]?.includes("gzip"))
        return { ...out, headers: { ...out.headers, vary: "accept-encoding" } };
      response.writeHead(out.status, { ...out.headers, "content-encoding": "gzip" }).end(gzipSync(out.text));
      return null;
    },
    { affects: [] },
  ),
  odd("says nothing of the type of its answers", (out) => ({ ...out, headers: {} }), { affects: [] }),
  odd(
    "closes the connection behind each answer",
    (out) => ({ ...out, headers: { ...out.headers, connection: "close" } }),
    { affects: [] },
  ),
  odd(
    "closes its connections without a word",
    raw((response, out) => {
      response
        .writeHead(out.status, { ...out.headers, "content-length": Buffer.byteLength(out.text) })
        .end(out.text, () => response.socket?.destroySoon());
    }),
    { affects: [] },
  ),
  odd(
    "tells of caching",
    (out) => ({ ...out, headers: { ...out.headers, "cache-control": "max-age=600", age: "300", etag: '"1"' } }),
    { affects: [], env: { UPSTREAM_CACHE_MS: "1000" } },
  ),
];

const troubled: OddService[] = [
  odd(
    "compresses its answers, accepted or not",
    raw((response, out) =>
      response.writeHead(out.status, { ...out.headers, "content-encoding": "gzip" }).end(gzipSync(out.text)),
    ),
  ),
  odd("fails with 500 now and then", sometimes(0.2, failing(500))),
  odd(
    "fails with 502 and HTML now and then",
    sometimes(0.2, () => ({ status: 502, headers: { "content-type": "text/html" }, text: "<h1>Bad Gateway</h1>" })),
  ),
  odd("refuses with 429 now and then", sometimes(0.1, failing(429, { "retry-after": "0" }))),
  odd("refuses with 401 now and then", sometimes(0.1, failing(401))),
  odd("redirects now and then", sometimes(0.2, failing(302, { location: "/login" }))),
  odd(
    "sends 200 and HTML now and then",
    sometimes(0.2, () => ({ status: 200, headers: { "content-type": "text/html" }, text: "<html></html>" })),
  ),
  odd(
    "cuts its JSON off now and then",
    sometimes(0.2, (out) => ({ ...out, text: out.text.slice(0, Math.floor(out.text.length / 2)) })),
  ),
  odd(
    "cuts its JSON off behind a row",
    body((text) => text.replace(/\},\{.*$/su, "}]}")),
  ),
  odd(
    "breaks the connection in the middle of an answer now and then",
    sometimes(
      0.2,
      raw((response, out) => {
        response.writeHead(out.status, { ...out.headers, "content-length": Buffer.byteLength(out.text) });
        response.write(out.text.slice(0, out.text.length / 2), () => response.socket?.destroy());
      }),
    ),
  ),
  odd(
    "ends a chunked answer without its last chunk now and then",
    sometimes(
      0.2,
      raw((response, out) => {
        response.writeHead(out.status, { ...out.headers, "transfer-encoding": "chunked" });
        response.write(out.text, () => response.socket?.end());
      }),
    ),
  ),
  odd(
    "closes idle connections before it answers, now and then",
    sometimes(0.2, (_, response) => {
      response.socket?.destroy();
      return null;
    }),
  ),
  odd(
    "tells a length that is too short",
    raw((response, out) => {
      response.socket?.end(
        `HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: ${Math.floor(Buffer.byteLength(out.text) / 2)}\r\n\r\n${out.text}`,
      );
    }),
  ),
  odd(
    "puts garbage behind its JSON",
    body((text) => `${text}<!-- 12 ms -->`),
  ),
  odd(
    "sends its JSON twice",
    body((text) => text + text),
  ),
  odd(
    "sends its JSON as a text",
    body((text) => JSON.stringify(text)),
  ),
  odd("sends JSON as text/plain", (out) => ({ ...out, headers: { "content-type": "text/plain" } })),
  odd(
    "writes in another encoding",
    raw((response, out) => response.writeHead(out.status, out.headers).end(Buffer.from(out.text, "latin1"))),
  ),
  odd(
    "writes NaN for a number",
    body((text) => text.replaceAll(/"billsec":\d+/g, '"billsec":NaN')),
  ),
  odd(
    "names keys twice",
    body((text) => text.replaceAll('"items":', '"items":[],"items":')),
    { affects: [] },
  ),
  odd(
    "does not answer in time now and then",
    sometimes(0.1, () => null),
    { env: { UPSTREAM_TIMEOUT_MS: "150" } },
  ),
];

export const transports: readonly OddService[] = [...transparent, ...troubled];
