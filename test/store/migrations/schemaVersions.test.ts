import { hash } from "node:crypto";
import { describe, expect, it } from "vitest";
import { dialects, schemaVersions } from "../../../src/store/migrations/schemaVersions.ts";

/** The hash of the statements of versions 1 to 10. Do not change it: databases with these versions exist. */
const RELEASED = 10;
const released = {
  sqlite: "f0ef677d346a3c4a7d4b1b1523f362ec3e61cac7709763d852bae65359b9fd88",
  postgres: "4613a2774703aa08d0c9a50ea81f9838492af3eaf4543df52d91e1b6a723ce80",
};

describe("schemaVersions", () => {
  it.each(["sqlite", "postgres"] as const)("keeps the statements of released versions (%s)", (kind) => {
    const versions = schemaVersions.slice(0, RELEASED).map((version) => version(dialects[kind]).join(";"));
    expect(hash("sha256", versions.join("|"))).toBe(released[kind]);
  });
});
