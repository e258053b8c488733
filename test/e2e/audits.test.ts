import { serverAudits } from "graphql-http";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type TestGateway, NO_SERVICE, startGateway } from "../support/gateway.ts";

describe.each(["on", "off"])("GraphQL over HTTP, with FAST_PATH=%s", (fastPath) => {
  let gateway: TestGateway;
  beforeAll(async () => {
    gateway = await startGateway(NO_SERVICE, { FAST_PATH: fastPath });
  });
  afterAll(() => gateway[Symbol.asyncDispose]());

  const audits = serverAudits({
    url: () => `${gateway.url}/graphql`,
    // The audits ask by GET as a browser's form could; the header says that it is none.
    fetchFn: (url: string, init: RequestInit = {}) =>
      fetch(url, { ...init, headers: { ...(init.headers as Record<string, string>), "x-switchboard-preflight": "1" } }),
  });
  it.each(audits.map((audit) => [audit.name, audit] as const))(
    "passes the audit of GraphQL over HTTP: %s",
    async (_, audit) => {
      const result = await audit.fn();
      if ("response" in result) await result.response.body?.cancel().catch(() => undefined);
      expect(result).toMatchObject({ status: "ok" });
    },
  );
});
