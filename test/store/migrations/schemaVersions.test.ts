import { hash } from "node:crypto";
import { describe, expect, it } from "vitest";
import { dialects, schemaVersions } from "../../../src/store/migrations/schemaVersions.ts";

/** The hash of the statements of versions 1 to 11. Do not change it: databases with these versions exist. */
const RELEASED = 11;
const released = {
  sqlite: "232b423d96a644bdb25bd51d6e1107e9f14c829807648d2025df6839780989ff",
  postgres: "f57784b9d04564d2271aa4729c59005f8f81985e39e54a6e828554d5884f17ca",
};

describe("schemaVersions", () => {
  it.each(["sqlite", "postgres"] as const)("keeps the statements of released versions (%s)", (kind) => {
    const versions = schemaVersions.slice(0, RELEASED).map((version) => version(dialects[kind]).join(";"));
    expect(hash("sha256", versions.join("|"))).toBe(released[kind]);
  });
});
