import { createServer } from "node:https";
import { getCACertificates, setDefaultCACertificates } from "node:tls";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startFakeService, type FakeService } from "../support/fakeService.ts";
import { cert, key } from "./localhostCertificate.ts";
import { callLogQuery, emptyPage, upstreamAt } from "./service.ts";

let service: FakeService;
let protocols: (string | false | null)[];
beforeAll(async () => {
  const server = createServer({ cert, key, ALPNProtocols: ["h2", "http/1.1"] }, (request, response) => {
    protocols.push((request.socket as unknown as { alpnProtocol: string | false | null }).alpnProtocol);
    response.setHeader("content-type", "application/json");
    response.end(JSON.stringify(emptyPage));
  });
  protocols = [];
  service = await startFakeService(server);
});
afterAll(() => service[Symbol.asyncDispose]());

async function askAt(host: string): Promise<unknown> {
  await using upstream = upstreamAt(`https://${host}:${service.port}`);
  return await upstream.listCallLogs(callLogQuery()).catch((error: unknown) => error);
}

describe("a service over TLS", () => {
  it("gets no request while its certificate is not trusted", async () => {
    expect(await askAt("localhost")).toMatchObject({ code: "UPSTREAM_UNAVAILABLE" });
    expect(protocols).toEqual([]);
  });

  it("is asked over HTTP/1.1 at the name of its certificate, and at no other address", async () => {
    const trusted = getCACertificates("default");
    setDefaultCACertificates([...trusted, cert]);
    try {
      expect(await askAt("localhost")).toMatchObject({ total: 0 });
      expect(await askAt("127.0.0.1")).toMatchObject({ code: "UPSTREAM_UNAVAILABLE" });
      expect(protocols).toEqual(["http/1.1"]);
    } finally {
      setDefaultCACertificates(trusted);
    }
  });
});
