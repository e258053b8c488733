import { exportSPKI, generateKeyPair, SignJWT, UnsecuredJWT } from "jose";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { createTokenReader } from "../../src/auth/jwt.ts";
import { silentLog } from "../support/silentLog.ts";
import { policies } from "../support/policies.ts";
import { AUDIENCE, ISSUER, startIdentityProvider } from "../support/identityProvider.ts";

let provider: Awaited<ReturnType<typeof startIdentityProvider>>;
beforeAll(async () => {
  provider = await startIdentityProvider();
});
afterAll(() => provider[Symbol.asyncDispose]());

const reader = (log = silentLog) =>
  createTokenReader({ jwksUrl: provider.url, issuer: ISSUER, audience: AUDIENCE, policies, log }).read;
const seconds = (from: number) => Math.floor(Date.now() / 1000) + from;

describe("a valid token", () => {
  it("grants the known scopes of scope or scp, as a text or a list", async () => {
    const scopes = async (own: object) => {
      const grant = await reader()(await provider.token({ scope: undefined, ...own }));
      return [...(grant?.viewer()?.scopes ?? ["nobody"])];
    };
    expect(await scopes({ scope: "openid people:read calls:read" })).toEqual(["calls:read", "people:read"]);
    expect(await scopes({ scp: "calls:read admin:all" })).toEqual(["calls:read"]);
    expect(await scopes({ scp: ["admin", "root"], scope: "calls:read" })).toEqual(["calls:read", "admin"]);
    expect(await scopes({ scope: ["calls:read"] })).toEqual(["calls:read"]);
    expect(await scopes({ scope: { "calls:read": true } })).toEqual([]);
    expect(await scopes({})).toEqual([]);
  });

  it("shares one set of scopes with all tokens that grant the same", async () => {
    const read = reader();
    const setOf = async (own: Record<string, unknown>) => (await read(await provider.token(own)))?.viewer()?.scopes;
    const set = await setOf({ scope: "calls:read people:read", sub: "a" });
    expect(await setOf({ scope: undefined, scp: ["people:read", "openid", "calls:read"], sub: "b" })).toBe(set);
    expect(await setOf({ scope: "calls:read", sub: "a" })).not.toBe(set);
  });

  it("is checked with keys that are fetched once", async () => {
    const read = reader();
    const before = provider.fetched();
    for (const sub of ["a", "b", "c"]) expect((await read(await provider.token({ sub })))?.viewer()?.name).toBe(sub);
    expect(provider.fetched()).toBe(before + 1);
  });
});

describe("an invalid token", () => {
  it.each([
    ["of another issuer", { iss: "https://evil.example/" }],
    ["without an issuer", { iss: undefined }],
    ["for another audience", { aud: "other" }],
    ["without an audience", { aud: undefined }],
    ["past its time", { exp: seconds(-10) }],
    ["without an end", { exp: undefined }],
    ["before its time", { nbf: seconds(3600) }],
    ["without a subject", { sub: undefined }],
    ["with an empty subject", { sub: "" }],
    ["of more than 8 KiB", { more: "x".repeat(8192) }],
    ["with a subject that no database can hold", { sub: "a\0b" }],
    ["with half a character in its subject", { sub: "a\ud800" }],
    ["with a subject of 256 letters", { sub: "x".repeat(256) }],
  ])("is refused: %s", async (_, own) => {
    expect(await reader()(await provider.token(own))).toBeNull();
  });

  it("is refused if it is signed by another key, by none, or by the published key as a secret", async () => {
    const other = await generateKeyPair("ES256");
    const claims = { iss: ISSUER, aud: AUDIENCE, sub: "alice", exp: seconds(60), scope: "admin" };
    const secret = new TextEncoder().encode(await exportSPKI(provider.publicKey));
    const forged = [
      await provider.token({}, other.privateKey),
      new UnsecuredJWT(claims).encode(),
      await new SignJWT(claims).setProtectedHeader({ alg: "HS256", kid: "one" }).sign(secret),
      `${await provider.token()}x`,
      "a.b.c",
      "not-a-token",
      "x".repeat(10_000),
    ];
    for (const token of forged) expect(await reader()(token)).toBeNull();
  });
});

describe("the grant of a token", () => {
  it("ends with the token and two seconds, and notifies its listeners", async () => {
    const exp = seconds(60);
    const grant = await reader()(await provider.token({ exp }));
    vi.useFakeTimers({ toFake: ["Date", "setTimeout", "clearTimeout"] });
    try {
      let notifications = 0;
      grant?.onChange(() => (notifications += 1));
      grant?.onChange(() => (notifications += 100))();
      vi.advanceTimersByTime(exp * 1000 + 1000 - Date.now());
      expect([grant?.viewer()?.name, notifications]).toEqual(["alice", 0]);
      vi.advanceTimersByTime(2000);
      expect([grant?.viewer(), notifications]).toEqual([null, 1]);
    } finally {
      vi.useRealTimers();
    }
  });
});
