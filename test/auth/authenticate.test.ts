import { createHash } from "node:crypto";
import { describe, expect, it } from "vitest";
import { allowEveryone, createAuthenticator } from "../../src/auth/authenticate.ts";
import { lastingGrant } from "../../src/auth/grant.ts";
import { openKeyRing } from "../../src/auth/keyRing.ts";
import { scopes } from "../../src/auth/scopes.ts";
import { createSessions } from "../../src/auth/sessions.ts";
import { createSigner } from "../../src/util/hmac.ts";
import { silentLog } from "../support/silentLog.ts";
import { temporaryDirectory } from "../support/gateway.ts";
import { bearer, keyOf, writeKeys } from "../support/keys.ts";
import { unrestricted } from "../../src/auth/viewerPolicy.ts";
import { combine, policies } from "../support/policies.ts";

async function known() {
  const directory = await temporaryDirectory();
  const file = await writeKeys(directory.path, { web: ["calls:read"], ops: ["admin"] });
  const keys = await openKeyRing({ file, combine, log: silentLog });
  const readToken = (token: string) => Promise.resolve(token === "of-web" ? lastingGrant(named("web")) : tokens[token]);
  const tokens: Record<string, ReturnType<typeof lastingGrant>> = { "of-alice": lastingGrant(named("alice")) };
  const sessions = createSessions(keys, createSigner(Buffer.alloc(32, 1)), Date.now, { policies, combine });
  const authenticate = createAuthenticator({
    keys,
    sessions,
    readToken: async (token) => (await readToken(token)) ?? null,
  });
  return {
    viewer: async (authorization?: string) => (await authenticate(authorization))?.viewer() ?? null,
    async [Symbol.asyncDispose]() {
      await keys[Symbol.asyncDispose]();
      await directory[Symbol.asyncDispose]();
    },
  };
}
const named = (name: string) => ({ name, scopes: new Set<never>(), ...unrestricted });

describe("an API key", () => {
  it("authenticates its viewer with the scopes of its entry, in any case of the scheme", async () => {
    await using gate = await known();
    expect(await gate.viewer(bearer("web"))).toEqual({ name: "web", scopes: new Set(["calls:read"]), ...unrestricted });
    expect((await gate.viewer(`bearer ${keyOf("web")}`))?.name).toBe("web");
    expect((await gate.viewer(`BEARER   ${keyOf("ops")} `))?.name).toBe("ops");
  });
});

describe("a token", () => {
  it("authenticates its subject, unless a key has that name", async () => {
    await using gate = await known();
    expect((await gate.viewer("Bearer of-alice"))?.name).toBe("alice");
    expect(await gate.viewer("Bearer of-web")).toBeNull();
  });
});

describe("other credentials", () => {
  it.each([
    undefined,
    "",
    "Bearer",
    "Bearer ",
    "key-of-web",
    "Basic key-of-web",
    "Bearerkey-of-web",
    "Bearer key-of-we",
    "Bearer key-of-webb",
    "Bearer KEY-OF-WEB",
    "Bearer key-of-web key-of-ops",
    "Bearer key-of-web, Bearer key-of-web",
    "Bearer Bearer key-of-web",
    " Bearer key-of-web",
    "Bearer\tkey-of-web",
    `Bearer ${createHash("sha256").update("key-of-web").digest("hex")}`,
  ])("are refused: %j", async (authorization) => {
    await using gate = await known();
    expect(await gate.viewer(authorization)).toBeNull();
  });
});

describe("an open gateway", () => {
  it("gives every request all scopes, with or without credentials", async () => {
    for (const authorization of [undefined, "", "Bearer x", "nonsense"]) {
      const grant = await allowEveryone()(authorization);
      expect(grant?.viewer()).toEqual({ name: "anyone", scopes: new Set(scopes), ...unrestricted });
    }
  });
});
