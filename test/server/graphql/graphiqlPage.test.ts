import { gunzipSync } from "node:zlib";
import { describe, expect, it, onTestFinished } from "vitest";
import { createGraphiqlPage } from "../../../src/server/graphql/graphiqlPage.ts";
import { exchange, serve } from "../serve.ts";

const HTML = `<!doctype html>${"<p>GraphiQL</p>".repeat(1000)}`;

/** A server of the page, and how often the page was rendered. */
async function open(make: () => Promise<string> = async () => HTML) {
  const made = { times: 0 };
  const page = createGraphiqlPage(() => {
    made.times += 1;
    return make();
  });
  const server = await serve((request, response) => {
    page(request, response, { vary: "origin" }).catch(() => response.writeHead(500).end());
  });
  onTestFinished(() => server[Symbol.asyncDispose]());
  const get = (headers: Record<string, string>) =>
    fetch(server.url, { headers: { "accept-encoding": "identity", ...headers } });
  return { made, get, port: server.port };
}

describe("A71: GraphiQL's page", () => {
  it("is rendered once for all requests", async () => {
    const { made, get } = await open();
    const texts = await Promise.all(Array.from({ length: 5 }, async () => (await get({})).text()));
    await (await get({})).text();
    expect([new Set(texts), made.times]).toEqual([new Set([HTML]), 1]);
  });

  it("is rendered again after a failure", async () => {
    const failing = async () => Promise.reject(new Error("not now"));
    const makers = [failing, async () => HTML];
    const { get } = await open(async () => (await makers.shift()?.()) ?? "");
    expect([(await get({})).status, (await get({})).status]).toEqual([500, 200]);
  });

  it.each([
    ["gzip", "gzip"],
    ["GZIP, deflate, br", "gzip"],
    ["br;q=1.0, gzip;q=0.5", "gzip"],
    ["gzip;q=0, br", null],
    ["identity", null],
    ["br", null],
    ["gzipped", null],
  ])("is sent for Accept-Encoding: %s with the encoding %s", async (accepted, encoding) => {
    const { port } = await open();
    const response = await exchange(
      port,
      `GET / HTTP/1.1\r\nhost: x\r\nconnection: close\r\naccept-encoding: ${accepted}\r\n\r\n`,
    );
    const [head = "", body = ""] = response.split("\r\n\r\n", 2);
    expect(/^content-encoding: (\w+)/im.exec(head)?.[1] ?? null).toBe(encoding);
    expect(Number(/^content-length: (\d+)/im.exec(head)?.[1])).toBe(body.length);
    const bytes = Buffer.from(body, "latin1");
    expect((encoding === null ? bytes : gunzipSync(bytes)).toString()).toBe(HTML);
  });

  it("is not sent again to a browser that has it, by an entity tag per encoding", async () => {
    const { get } = await open();
    const [plain, zipped] = [await get({}), await get({ "accept-encoding": "gzip" })];
    const tags = [plain, zipped].map(({ headers }) => headers.get("etag") as string);
    expect(new Set(tags).size).toBe(2);
    const [plainTag = "", zippedTag = ""] = tags;
    const asked = [
      await get({ "if-none-match": plainTag }),
      await get({ "if-none-match": `"other", W/${plainTag}` }),
      await get({ "if-none-match": zippedTag, "accept-encoding": "gzip" }),
      await get({ "if-none-match": zippedTag }),
    ];
    expect(asked.map(({ status }) => status)).toEqual([304, 304, 304, 200]);
    expect(await asked[0]?.text()).toBe("");
    expect(asked[0]?.headers.get("vary")).toBe("origin, accept, accept-encoding");
  });
});
