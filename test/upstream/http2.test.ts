// Servers that speak HTTP/2, too. A client may send a request of HTTP/2 again by itself, so nothing that must not be repeated is sent by it.
import { createServer, type IncomingMessage } from "node:http";
import { constants, createSecureServer } from "node:http2";
import { connect } from "node:net";
import type { Duplex } from "node:stream";
import { getCACertificates, setDefaultCACertificates } from "node:tls";
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { createCallbackClient } from "../../src/server/callbacks/callbackClient.ts";
import { createBucketClient } from "../../src/upstream/outside/bucketClient.ts";
import { fixedProxy } from "../../src/upstream/proxyAgent.ts";
import { startFakeService } from "../support/fakeService.ts";
import { cert, key } from "./localhostCertificate.ts";
import { createTask, upstreamAt } from "./service.ts";

const trusted = getCACertificates("default");
beforeAll(() => setDefaultCACertificates([...trusted, cert]));
afterAll(() => setDefaultCACertificates(trusted));

/** It takes what comes by HTTP/2, and says that it has not: https://www.rfc-editor.org/rfc/rfc9113#section-8.7 */
async function startBoth() {
  const seen: string[] = [];
  const server = createSecureServer({ key, cert, allowHTTP1: true }, (request, response) => {
    seen.push(`${request.method} by ${request.httpVersion}`);
    if (request.httpVersion === "2.0") return request.stream.close(constants.NGHTTP2_REFUSED_STREAM);
    request.resume();
    request.on("end", () => {
      response.writeHead(200, { "content-type": "application/json" });
      response.end('{"taskId":"7"}');
    });
  });
  server.on("sessionError", () => undefined);
  const service = await startFakeService(server);
  onTestFinished(() => service[Symbol.asyncDispose]());
  return { url: `https://localhost:${service.port}`, seen };
}

describe("A server that speaks HTTP/2, too", () => {
  it("gets the creation of a task once, by HTTP/1.1", async () => {
    const { url, seen } = await startBoth();
    const upstream = upstreamAt(url);
    await createTask(upstream);
    await upstream[Symbol.asyncDispose]();
    expect(seen).toEqual(["POST by 1.1"]);
  });

  it.each(["http", "https"])(
    "gets the creation of a task once by HTTP/1.1 through a proxy by %s, too",
    async (scheme) => {
      const { url, seen } = await startBoth();
      // By https, it offers HTTP/2 itself.
      const server = scheme === "http" ? createServer() : createSecureServer({ key, cert, allowHTTP1: true });
      server.on("connect", ({ url: to = "" }: IncomingMessage, client: Duplex) => {
        const target = connect(Number(to.split(":")[1]), "127.0.0.1", () => {
          client.write("HTTP/1.1 200 Connection established\r\n\r\n");
          target.pipe(client).pipe(target);
        });
        for (const each of [client, target]) each.on("error", () => target.destroy());
      });
      const proxy = await startFakeService(server);
      onTestFinished(() => proxy[Symbol.asyncDispose]());
      const address = `${scheme}://localhost:${proxy.port}`;
      const upstream = upstreamAt(url, { proxy: fixedProxy({ http: address, https: address, noProxy: "" }) });
      await createTask(upstream);
      await upstream[Symbol.asyncDispose]();
      expect(seen).toEqual(["POST by 1.1"]);
    },
  );

  it("gets the message of a callback once, by HTTP/1.1", async () => {
    const { url, seen } = await startBoth();
    await using client = createCallbackClient();
    expect(await client.post(`${url}/callback`, Buffer.from("{}"), new AbortController().signal)).toBe(200);
    expect(seen).toEqual(["POST by 1.1"]);
  });

  it("gets the object of a bucket once, by HTTP/1.1", async () => {
    const { url, seen } = await startBoth();
    const keys = () => ({ accessKeyId: "id", secretAccessKey: "key", sessionToken: undefined });
    await using client = createBucketClient({ url: `${url}/bucket`, region: "us-east-1", keys });
    const { statusCode, body } = await client.send({ method: "PUT", name: "a", body: Buffer.from("a") });
    await body.dump();
    expect([statusCode, seen]).toEqual([200, ["PUT by 1.1"]]);
  });
});
