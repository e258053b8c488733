// How a client finds the identity provider of the tools: RFC 9728, and the section on authorization of the protocol.
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startGateway, temporaryDirectory, type TestGateway } from "../support/gateway.ts";
import { AUDIENCE, ISSUER, startIdentityProvider } from "../support/identityProvider.ts";
import { bearer, writeKeys } from "../support/keys.ts";
import { startSandbox, type TestSandbox } from "../support/sandbox.ts";

const parts = new AsyncDisposableStack();
let gateway: TestGateway;
let sandbox: TestSandbox;
let keys: string;
let provider: Awaited<ReturnType<typeof startIdentityProvider>>;

beforeAll(async () => {
  const directory = parts.use(await temporaryDirectory());
  sandbox = parts.use(await startSandbox());
  provider = parts.use(await startIdentityProvider());
  keys = await writeKeys(directory.path, { reader: ["calls:read"] });
  gateway = parts.use(await startGateway(sandbox, { MCP: "on", API_KEYS_FILE: keys, ...provider.env }));
});
afterAll(() => parts.disposeAsync());

const LIST = JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/list", params: {} });
const post = (headers: Record<string, string>, at = gateway) =>
  fetch(`${at.url}/mcp`, {
    method: "POST",
    headers: { "content-type": "application/json", accept: "application/json, text/event-stream", ...headers },
    body: LIST,
  });
const challengeOf = async (headers: Record<string, string>) => {
  const response = await post(headers);
  expect(response.status).toBe(401);
  return response.headers.get("www-authenticate") ?? "";
};

describe("A gateway with an identity provider", () => {
  it("tells a client without a token where to get one", async () => {
    const challenge = await challengeOf({});
    expect(challenge).toMatch(/^Bearer scope="calls:read tasks:propose", resource_metadata="/);
    const [, address = ""] = /resource_metadata="([^"]+)"/.exec(challenge) ?? [];
    expect(address).toBe(`${gateway.url}/.well-known/oauth-protected-resource/mcp`);
    const response = await fetch(address, { headers: { origin: "https://anywhere.example" } });
    expect(response.headers.get("access-control-allow-origin")).toBe("*");
    expect(await response.json()).toEqual({
      resource: `${gateway.url}/mcp`,
      resource_name: "Switchboard",
      authorization_servers: [ISSUER],
      scopes_supported: ["calls:read", "people:read", "assistants:prompts", "recordings:read", "tasks:propose"],
      bearer_methods_supported: ["header"],
    });
    const atRoot = await fetch(`${gateway.url}/.well-known/oauth-protected-resource`);
    expect(atRoot.status).toBe(200);
  });

  it("names the address that the client uses, also behind a proxy with TLS", async () => {
    await using behind = await startGateway(sandbox, {
      MCP: "on",
      API_KEYS_FILE: keys,
      TRUST_PROXY: "1",
      ...provider.env,
    });
    const headers = { "x-forwarded-proto": "https", "x-forwarded-for": "192.0.2.1" };
    const response = await post(headers, behind);
    const [, address = ""] = /resource_metadata="([^"]+)"/.exec(response.headers.get("www-authenticate") ?? "") ?? [];
    const path = "/.well-known/oauth-protected-resource/mcp";
    const found = (await (await fetch(`${behind.url}${path}`, { headers })).json()) as { resource: string };
    // Strict clients compare the two: https://github.com/exa-labs/exa-mcp-server/pull/387
    expect(address).toBe(found.resource.replace(/\/mcp$/, path));
    expect(found.resource).toBe(`https://${new URL(behind.url).host}/mcp`);
  });

  it("takes its tokens, and refuses those of another audience, expired ones and wrong keys", async () => {
    const token = async (own: Record<string, unknown>) => ({ authorization: `Bearer ${await provider.token(own)}` });
    expect((await post(await token({}))).status).toBe(200);
    expect((await post(await token({ aud: ["other", AUDIENCE] }))).status).toBe(200);
    expect((await post({ authorization: bearer("reader") })).status).toBe(200);
    for (const own of [
      { aud: "https://other.example/mcp" },
      { aud: undefined },
      { exp: 1 },
      { iss: "https://other.example/" },
    ])
      expect(await challengeOf(await token(own))).toContain('error="invalid_token"');
    expect(await challengeOf({ authorization: "Bearer wrong" })).toContain('error="invalid_token"');
  });
});

describe("A gateway without an identity provider, or without MCP=on", () => {
  it("has no metadata, and asks for a key only", async () => {
    await using plain = await startGateway(sandbox, { MCP: "on" });
    await using off = await startGateway(sandbox, { API_KEYS_FILE: keys, ...provider.env });
    for (const at of [plain, off])
      expect((await fetch(`${at.url}/.well-known/oauth-protected-resource`)).status).toBe(404);
  });
});
