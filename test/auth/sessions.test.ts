import { describe, expect, it, onTestFinished, vi } from "vitest";
import { lastingGrant, type Grant } from "../../src/auth/grant.ts";
import type { Scope } from "../../src/auth/scopes.ts";
import { createSessions } from "../../src/auth/sessions.ts";
import { createSigner } from "../../src/util/hmac.ts";
import { unrestricted } from "../../src/auth/viewerPolicy.ts";
import { combine, policies } from "../support/policies.ts";

const HOUR = 3_600_000;
const signer = createSigner(Buffer.alloc(32, 5));
const viewerOf = (name: string, tokenEndsAt?: number) => ({
  name,
  scopes: new Set<Scope>(["calls:read"]),
  ...unrestricted,
  ...(tokenEndsAt === undefined ? {} : { tokenEndsAt }),
});

/** One key, which can be replaced or removed. */
function oneKey() {
  let current: { name: string; sha256: string } | null = { name: "web", sha256: "aa" };
  const grant: Grant = { viewer: () => current && viewerOf(current.name), onChange: () => () => undefined };
  return {
    set: (key: typeof current) => void (current = key),
    keys: {
      entryOf: (name: string) => (current?.name === name ? { sha256: current.sha256, grant } : null),
      has: (name: string) => current?.name === name,
    },
  };
}

describe("A session by a key", () => {
  it("holds for twelve hours, at each gateway of the database, and has no part of the key", () => {
    const { keys } = oneKey();
    let now = 0;
    const text =
      createSessions(keys, signer, () => now, { policies, combine }).open(lastingGrant(viewerOf("web")))?.text ?? "";
    const other = createSessions(keys, createSigner(Buffer.alloc(32, 5)), () => now, { policies, combine });
    now = 12 * HOUR - 1;
    const grant = other.find(text);
    expect(grant?.viewer()?.name).toBe("web");
    now += 1;
    expect([grant?.viewer(), other.find(text)]).toEqual([null, null]);
    expect(Buffer.from(text, "base64url").toString()).not.toContain("aa");
  });

  it.each([
    ["removed", null],
    ["replaced by another key of the same name", { name: "web", sha256: "bb" }],
    ["given another name", { name: "other", sha256: "aa" }],
  ])("ends when the key is %s", (_, changed) => {
    const { keys, set } = oneKey();
    const sessions = createSessions(keys, signer, () => 0, { policies, combine });
    const text = sessions.open(lastingGrant(viewerOf("web")))?.text ?? "";
    set(changed);
    expect(sessions.find(text)).toBeNull();
  });

  it("cannot be opened if the key has just been removed", () => {
    const { keys, set } = oneKey();
    set(null);
    expect(createSessions(keys, signer, () => 0, { policies, combine }).open(lastingGrant(viewerOf("web")))).toBeNull();
  });
});

describe("A session by a token", () => {
  it("ends with the token, has its scopes, and tells a stream that it ends", () => {
    vi.useFakeTimers({ now: 0 });
    onTestFinished(() => void vi.useRealTimers());
    const sessions = createSessions(null, signer, Date.now, { policies, combine });
    const opened = sessions.open(lastingGrant(viewerOf("alice", HOUR)));
    expect(opened?.expiresAt).toBe(HOUR);
    const grant = sessions.find(opened?.text ?? "");
    expect(grant?.viewer()).toEqual(viewerOf("alice", HOUR));
    let changes = 0;
    grant?.onChange(() => (changes += 1));
    vi.advanceTimersByTime(HOUR - 1);
    expect([changes, grant?.viewer()?.name]).toEqual([0, "alice"]);
    vi.advanceTimersByTime(1);
    expect([changes, grant?.viewer()]).toEqual([1, null]);
  });

  it("is refused when a key has got the name of its subject", () => {
    const { keys, set } = oneKey();
    const sessions = createSessions(keys, signer, () => 0, { policies, combine });
    const text = sessions.open(lastingGrant(viewerOf("alice", HOUR)))?.text ?? "";
    expect(sessions.find(text)).not.toBeNull();
    set({ name: "alice", sha256: "cc" });
    expect(sessions.find(text)).toBeNull();
  });
});

describe("A text that is no session", () => {
  it("is refused if it is changed, signed with another key, or signed for another purpose", () => {
    const { keys } = oneKey();
    const sessions = createSessions(keys, signer, () => 0, { policies, combine });
    const text = sessions.open(lastingGrant(viewerOf("web")))?.text ?? "";
    const foreign = createSessions(keys, createSigner(Buffer.alloc(32, 6)), () => 0, { policies, combine });
    const payload = Buffer.from('{"name":"web","expiresAt":9,"scopes":["admin"]}').toString("base64url");
    for (const wrong of ["", "x", `x${text}`, text.slice(0, -1), signer.sign("event", payload), payload])
      expect(sessions.find(wrong)).toBeNull();
    expect(foreign.find(text)).toBeNull();
  });
});
