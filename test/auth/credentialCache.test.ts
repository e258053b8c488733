import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { describe, expect, it } from "vitest";
import { lastingGrant, type Grant } from "../../src/auth/grant.ts";
import { cacheCredentials } from "../../src/auth/credentialCache.ts";
import { unrestricted } from "../../src/auth/viewerPolicy.ts";
import { until } from "../support/until.ts";

setFlagsFromString("--expose-gc");
const collect = runInNewContext("gc") as () => void;

/** Accepts `Bearer NAME` for these names, and records what was checked. */
function gate({ later = false } = {}) {
  const time = { ms: 0 };
  const examined: (string | undefined)[] = [];
  const gone = new Set<string>();
  function grantOf(name: string): Grant | null {
    const viewer = { name, scopes: new Set<never>(), ...unrestricted };
    return gone.has(name)
      ? null
      : { viewer: () => (gone.has(name) ? null : viewer), onChange: lastingGrant(viewer).onChange };
  }
  const known = ["ann", "bob", "cleo"];
  const admit = cacheCredentials(
    (authorization) => {
      examined.push(authorization);
      const name = known.find((each) => authorization === `Bearer ${each}`);
      const grant = name === undefined ? null : grantOf(name);
      return later ? Promise.resolve(grant) : grant;
    },
    () => time.ms,
  );
  const viewer = async (authorization: string | undefined, connection: object, address = "192.0.2.1") =>
    (await admit(authorization, address, connection))?.viewer()?.name ?? null;
  return { viewer, examined, gone, time };
}

describe.each([
  ["keys, known at once", false],
  ["tokens, waited for", true],
])("the credentials of a connection: %s", (_, later) => {
  it("are checked once", async () => {
    const { viewer, examined } = gate({ later });
    const connection = {};
    for (let at = 0; at < 3; at += 1) expect(await viewer("Bearer ann", connection)).toBe("ann");
    expect(examined).toEqual(["Bearer ann"]);
  });

  it("are checked again after a minute", async () => {
    const { viewer, examined, time } = gate({ later });
    const connection = {};
    for (const ms of [0, 59_999, 60_000, 119_999]) {
      time.ms = ms;
      await viewer("Bearer ann", connection);
    }
    expect(examined).toHaveLength(2);
  });

  it("are not reused for another connection or another address", async () => {
    const { viewer, examined } = gate({ later });
    const connection = {};
    await viewer("Bearer ann", connection);
    await viewer("Bearer ann", {});
    await viewer("Bearer ann", connection, "192.0.2.2");
    expect(examined).toHaveLength(3);
  });

  it("are compared in each request, because a proxy sends many callers over one connection", async () => {
    const { viewer, examined } = gate({ later });
    const connection = {};
    const shown = ["Bearer ann", "Bearer bob", "Bearer ano", "Bearer cleo", "Bearer an", undefined, "", "Bearer ann"];
    const seen = await Promise.all(shown.map((each) => viewer(each, connection)));
    expect(seen).toEqual(["ann", "bob", null, "cleo", null, null, null, "ann"]);
    for (const each of shown) await viewer(each, connection);
    // Only the last credentials are cached.
    expect(examined.length).toBeGreaterThanOrEqual(shown.length);
    expect(await viewer("Bearer bob", connection)).toBe("bob");
    expect(await viewer("Bearer ann", connection)).toBe("ann");
  });

  it("are checked again once they are revoked, and refused ones each time", async () => {
    const { viewer, examined, gone } = gate({ later });
    const connection = {};
    await viewer("Bearer ann", connection);
    gone.add("ann");
    for (let at = 0; at < 3; at += 1) expect(await viewer("Bearer ann", connection)).toBeNull();
    expect(examined).toHaveLength(4);
    gone.delete("ann");
    expect(await viewer("Bearer ann", connection)).toBe("ann");
  });
});

describe("the cache entry of a connection", () => {
  it("is as large as its credentials, without a slab of the buffer pool", async () => {
    const admit = cacheCredentials(() => lastingGrant({ name: "ann", scopes: new Set(), ...unrestricted }));
    const connections = Array.from({ length: 500 }, () => ({}));
    collect();
    const before = process.memoryUsage().arrayBuffers;
    for (const connection of connections) {
      await admit(`Bearer ${"k".repeat(40)}`, "192.0.2.1", connection);
      // Other small buffers of the process.
      for (let other = 0; other < 20; other += 1) Buffer.from("x".repeat(3000));
    }
    // V8 frees buffers on another thread after a collection.
    await until(() => {
      collect();
      return process.memoryUsage().arrayBuffers - before < 2_000_000;
    });
    expect(await admit(`Bearer ${"k".repeat(40)}`, "192.0.2.1", connections[0] ?? {})).not.toBeNull();
  });
});
