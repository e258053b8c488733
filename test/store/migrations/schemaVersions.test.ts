import { hash } from "node:crypto";
import { describe, expect, it } from "vitest";
import { dialects } from "../../../src/store/migrations/dialects.ts";
import { schemaVersions } from "../../../src/store/migrations/schemaVersions.ts";
import { RELEASED, releasedStatements } from "./released.ts";

describe("schemaVersions", () => {
  it.each(["sqlite", "postgres"] as const)("keeps the statements of released versions (%s)", (kind) => {
    const versions = schemaVersions.slice(0, RELEASED).map((version) => version(dialects[kind]).join(";"));
    expect(hash("sha256", versions.join("|"))).toBe(releasedStatements[kind]);
  });
});
