// Tokens while the identity provider fails, hangs or changes its keys.
import { generateKeyPair } from "jose";
import { describe, expect, it, onTestFinished } from "vitest";
import { countPublishedKeys, FETCH_COOLDOWN_MS, KEY_TTL_MS } from "../../src/auth/jwksKeys.ts";
import { createTokenReader } from "../../src/auth/jwt.ts";
import { createLogger } from "../../src/logger.ts";
import { AUDIENCE, ISSUER, startIdentityProvider } from "../support/identityProvider.ts";
import { policies } from "../support/policies.ts";
import { until } from "../support/until.ts";

const UNAVAILABLE = { code: "UPSTREAM_UNAVAILABLE", retryable: true, retryAfter: FETCH_COOLDOWN_MS / 1000 };

async function start() {
  const provider = await startIdentityProvider();
  const lines: string[] = [];
  let at = 0;
  const reader = createTokenReader({
    jwksUrl: provider.url,
    issuer: ISSUER,
    audience: AUDIENCE,
    policies,
    now: () => at,
    log: createLogger({ level: "debug", secrets: [], write: (line) => lines.push(line) }),
  });
  onTestFinished(async () => {
    reader[Symbol.dispose]();
    await provider[Symbol.asyncDispose]().catch(() => undefined);
  });
  return {
    provider,
    reader,
    lines,
    wait: (ms: number) => void (at += ms),
    /** The viewer's name; null for an invalid token; or the code of the error. */
    async judge(token: string): Promise<string | null> {
      const named = reader.read(token).then((grant) => grant?.viewer()?.name ?? null);
      return named.catch((error: { code?: string; message: string }) => error.code ?? error.message);
    },
  };
}
const times = <T>(count: number, work: () => Promise<T>) => Promise.all(Array.from({ length: count }, work));

describe("the keys of a provider", () => {
  it("are read behind a byte order mark", async () => {
    const { provider, judge } = await start();
    provider.set("answersWithMark");
    expect(await judge(await provider.token())).toBe("alice");
    expect(await countPublishedKeys(provider.url)).toBe(1);
  });
});

describe("the keys that were fetched last", () => {
  it("stay in use while the provider fails", async () => {
    const { provider, judge, wait } = await start();
    expect(await judge(await provider.token())).toBe("alice");
    provider.set("fails");
    for (const ms of [KEY_TTL_MS, 86_400_000]) {
      wait(ms);
      expect(await judge(await provider.token())).toBe("alice");
    }
  });

  it("are used at once while the provider that has failed does not answer", async () => {
    const { provider, judge, wait } = await start();
    await judge(await provider.token());
    provider.set("fails");
    wait(KEY_TTL_MS);
    await judge(await provider.token());
    provider.set("hangs");
    wait(FETCH_COOLDOWN_MS);
    const before = provider.fetched();
    expect(await judge(await provider.token())).toBe("alice");
    await until(() => provider.fetched() === before + 1);
    expect(provider.waiting()).toBe(1);
  });

  it("are refused ten minutes after the provider has revoked them", async () => {
    const { provider, judge, wait } = await start();
    const token = await provider.token();
    await judge(token);
    provider.withdraw();
    wait(KEY_TTL_MS - 1);
    expect(await judge(token)).toBe("alice");
    wait(1);
    expect(await judge(token)).toBeNull();
  });
});

describe("a token that cannot be checked without keys", () => {
  it("is refused with UPSTREAM_UNAVAILABLE and retryAfter, and accepted when the provider is back", async () => {
    const { provider, reader, judge, wait } = await start();
    provider.set("fails");
    const token = await provider.token();
    await expect(reader.read(token)).rejects.toMatchObject(UNAVAILABLE);
    provider.set("answers");
    wait(FETCH_COOLDOWN_MS - 1);
    expect(await judge(token)).toBe("UPSTREAM_UNAVAILABLE");
    wait(1);
    expect(await judge(token)).toBe("alice");
  });

  it("causes one request to the provider per cooldown", async () => {
    const { provider, judge, wait } = await start();
    provider.set("fails");
    const token = await provider.token();
    for (const fetched of [1, 2]) {
      expect(new Set(await times(200, () => judge(token)))).toEqual(new Set(["UPSTREAM_UNAVAILABLE"]));
      expect(await judge(token)).toBe("UPSTREAM_UNAVAILABLE");
      expect(provider.fetched()).toBe(fetched);
      wait(FETCH_COOLDOWN_MS);
    }
  });

  it("includes one of a new key, while the old keys stay in use", async () => {
    const { provider, judge, wait } = await start();
    await judge(await provider.token());
    const key = await provider.addKey("two");
    provider.set("fails");
    wait(FETCH_COOLDOWN_MS);
    expect(await judge(await provider.token({}, key, "two"))).toBe("UPSTREAM_UNAVAILABLE");
    expect(await judge(await provider.token())).toBe("alice");
  });
});

describe("a key ID that the provider has not published", () => {
  it("is looked up once per cooldown, and found when it is published", async () => {
    const { provider, judge, wait } = await start();
    const { privateKey } = await generateKeyPair("ES256");
    const forged = () => provider.token({}, privateKey, crypto.randomUUID());
    for (const fetched of [1, 2]) {
      expect(new Set(await times(200, async () => judge(await forged())))).toEqual(new Set([null]));
      expect(provider.fetched()).toBe(fetched);
      wait(FETCH_COOLDOWN_MS);
    }
    const key = await provider.addKey("two");
    expect(await judge(await provider.token({}, key, "two"))).toBe("alice");
  });
});

describe("a token that names no key", () => {
  it("is checked with each matching key of the provider", async () => {
    const { provider, judge } = await start();
    const key = await provider.addKey("two");
    const { privateKey } = await generateKeyPair("ES256");
    const unnamed = (...signer: [typeof key] | []) => provider.token({}, signer[0], "");
    expect([await judge(await unnamed()), await judge(await unnamed(key))]).toEqual(["alice", "alice"]);
    expect(await judge(await unnamed(privateKey))).toBeNull();
    expect(await judge(await provider.token({ aud: "other" }, key, ""))).toBeNull();
  });
});

describe("the log of the identity provider", () => {
  it("has nothing about forged tokens", async () => {
    const { provider, judge, lines, reader } = await start();
    const { privateKey } = await generateKeyPair("ES256");
    for (const kid of ["one", "two", ""]) expect(await judge(await provider.token({}, privateKey, kid))).toBeNull();
    expect(await judge(await provider.token({ aud: "other" }))).toBeNull();
    reader[Symbol.dispose]();
    expect(lines).toEqual([]);
  });

  it("reports a failing provider at once, then with counts in one line, without stacks and tokens", async () => {
    const { provider, judge, lines, reader } = await start();
    provider.set("fails");
    const token = await provider.token();
    await times(200, () => judge(token));
    expect(lines.length).toBe(1);
    reader[Symbol.dispose]();
    const causes = lines.map((line) => (JSON.parse(line) as { causes: object }).causes);
    expect(causes).toEqual([
      { "Expected 200 OK from the JSON Web Key Set HTTP response": 1 },
      { "tokens that could not be checked": 200 },
    ]);
    expect(lines.join()).not.toMatch(/stack|\.ts:|eyJ/);
  });

  it("names the cause if the provider cannot be connected to", async () => {
    const { provider, reader, lines } = await start();
    const token = await provider.token();
    await provider[Symbol.asyncDispose]();
    await expect(reader.read(token)).rejects.toMatchObject(UNAVAILABLE);
    expect(lines.map((line) => (JSON.parse(line) as { causes: object }).causes)).toEqual([{ ECONNREFUSED: 1 }]);
  });
});
