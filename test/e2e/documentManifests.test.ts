import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { transports } from "../security/transports.ts";
import { generators } from "../support/generators/documentGenerators.ts";
import { callEndedEvent } from "../support/events.ts";
import { type TestGateway, NO_SERVICE, startGateway, temporaryDirectory } from "../support/gateway.ts";
import { openSse } from "../support/streams.ts";
import { until } from "../support/until.ts";

interface ApolloManifest {
  operations: { id: string; body: string }[];
}

/** The IDs as a client of the generator has them. */
function idsOf(manifest: string): { zone: string; ended: string } {
  const json = JSON.parse(manifest) as ApolloManifest | Record<string, string>;
  const entries = Array.isArray(json["operations"])
    ? (json as ApolloManifest).operations.map(({ id, body }) => [id, body] as const)
    : Object.entries(json as Record<string, string>);
  const idOf = (part: string) => entries.find(([, text]) => text.includes(part))?.[0] ?? "";
  return { zone: idOf("serviceTimeZone"), ended: idOf("callEnded") };
}

describe.each(generators)("a manifest that $name wrote", ({ generate }) => {
  let stop = () => Promise.resolve();
  let gateway: TestGateway;
  let ids: ReturnType<typeof idsOf>;
  beforeAll(async () => {
    await using parts = new AsyncDisposableStack();
    const manifest = await generate();
    ids = idsOf(manifest);
    const file = join(parts.use(await temporaryDirectory()).path, "manifest.json");
    await writeFile(file, manifest);
    gateway = parts.use(await startGateway(NO_SERVICE, { TRUSTED_DOCUMENTS: file }));
    const started = parts.move();
    stop = () => started.disposeAsync();
  });
  afterAll(() => stop());

  /** As graphql-codegen, Apollo, urql, Relay and gql.tada clients name a document, with the prefix and without it. */
  function requestsFor(id: string): Record<string, unknown>[] {
    const hash = id.replace(/^\w+:/, "");
    return [id, hash, `sha256:${hash}`].flatMap((each) => [
      { documentId: each },
      { doc_id: each },
      { query: "", extensions: { persistedQuery: { version: 1, sha256Hash: each } } },
      { extensions: { persistedQuery: { version: 1, sha256Hash: each } } },
    ]);
  }

  const data = { serviceTimeZone: "Asia/Shanghai" };

  it.each(transports)("lets its query run by its ID over %s", async (_, open) => {
    await using transport = await open(gateway.url);
    for (const request of requestsFor(ids.zone))
      expect([request, await transport.ask(request)]).toEqual([request, { data }]);
  });

  it("lets its query run by its ID over GET", async () => {
    for (const request of requestsFor(ids.zone)) {
      const texts = Object.entries(request).map(([name, value]) => [
        name,
        typeof value === "string" ? value : JSON.stringify(value),
      ]);
      const search = new URLSearchParams(Object.fromEntries(texts) as Record<string, string>);
      const response = await fetch(`${gateway.url}/graphql?${search}`, { headers: { "x-switchboard-preflight": "1" } });
      expect([request, await response.json()]).toEqual([request, { data }]);
    }
  });

  it("lets its subscription run by its ID", async () => {
    const request = { documentId: ids.ended } as unknown as { query: string };
    await using stream = await openSse<{ callEnded: { sessionId: string } }>(gateway.url, request);
    const first = stream.next();
    let isThere = false;
    void first.then(() => (isThere = true));
    await until(async () => {
      await gateway.deliver(callEndedEvent({ session_id: "ended" }));
      return isThere;
    });
    expect((await first).data?.callEnded.sessionId).toBe("ended");
  });

  it("refuses a document of another ID", async () => {
    const unknown = { extensions: { persistedQuery: { version: 1, sha256Hash: "0".repeat(64) } } };
    const response = await fetch(`${gateway.url}/graphql`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify(unknown),
    });
    expect(await response.json()).toMatchObject({ errors: [{ extensions: { code: "DOCUMENT_NOT_TRUSTED" } }] });
  });
});
