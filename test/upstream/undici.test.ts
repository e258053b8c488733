import { readFileSync } from "node:fs";
import * as Undici from "undici";
import { describe, expect, it } from "vitest";
import { Agent, buildConnector, Client, loadEnvHttpProxyAgent } from "../../src/upstream/undici.ts";

describe("the private paths of undici", () => {
  it("lead to the same values as its public entry", () => {
    expect({ Agent, Client, buildConnector, EnvHttpProxyAgent: loadEnvHttpProxyAgent() }).toEqual({
      EnvHttpProxyAgent: Undici.EnvHttpProxyAgent,
      Agent: Undici.Agent,
      Client: Undici.Client,
      buildConnector: Undici.buildConnector,
    });
    expect(Client.prototype.request).toBe(Undici.Client.prototype.request);
    expect(Client.prototype.connect).toBe(Undici.Client.prototype.connect);
  });

  it("are relied on with an exact version of undici only", () => {
    const { dependencies } = JSON.parse(readFileSync("package.json", "utf8")) as {
      dependencies: Record<string, string>;
    };
    expect(dependencies["undici"]).toMatch(/^\d+\.\d+\.\d+$/);
  });
});
