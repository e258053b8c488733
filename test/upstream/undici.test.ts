import { readFileSync } from "node:fs";
import * as Undici from "undici";
import { describe, expect, it } from "vitest";
import { Agent, buildConnector, Client } from "../../src/upstream/undici.ts";

describe("the private paths of undici", () => {
  it("lead to the same values as its public entry", () => {
    expect({ Agent, Client, buildConnector }).toEqual({
      Agent: Undici.Agent,
      Client: Undici.Client,
      buildConnector: Undici.buildConnector,
    });
    expect(Client.prototype.request).toBe(Undici.Client.prototype.request);
  });

  it("are relied on with an exact version of undici only", () => {
    const { dependencies } = JSON.parse(readFileSync("package.json", "utf8")) as {
      dependencies: Record<string, string>;
    };
    expect(dependencies["undici"]).toMatch(/^\d+\.\d+\.\d+$/);
  });
});
