import { createHash } from "node:crypto";
import { describe, expect, it } from "vitest";
import { allowEveryone, allowKeys } from "../../src/auth/authenticate.ts";
import { scopes } from "../../src/auth/scopes.ts";

const digestOf = (key: string) => createHash("sha256").update(key).digest("hex");
const authenticate = allowKeys([
  { name: "web", sha256: digestOf("key-of-web"), scopes: ["calls:read"] },
  { name: "ops", sha256: digestOf("key-of-ops").toUpperCase(), scopes: ["admin"] },
]);

describe("a key lets its own viewer in", () => {
  it.each([
    ["Bearer key-of-web", "web"],
    ["bearer key-of-web", "web"],
    ["BEARER   key-of-ops ", "ops"],
  ])("%j is %s", (authorization, name) => {
    expect(authenticate(authorization)?.name).toBe(name);
  });

  it("with the scopes of its entry and no more", () => {
    expect([...(authenticate("Bearer key-of-web")?.scopes ?? [])]).toEqual(["calls:read"]);
  });
});

describe("nobody else is let in", () => {
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
    `Bearer ${digestOf("key-of-web")}`,
  ])("%j", (authorization) => {
    expect(authenticate(authorization)).toBeNull();
  });

  it("where there are no keys", () => {
    expect(allowKeys([])("Bearer key-of-web")).toBeNull();
  });
});

describe("an open gateway", () => {
  it("gives everybody every scope, with or without credentials", () => {
    for (const authorization of [undefined, "", "Bearer x", "nonsense"]) {
      expect(allowEveryone()(authorization)).toEqual({ name: "anyone", scopes: new Set(scopes) });
    }
  });
});
