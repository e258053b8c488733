import { describe, expect, it } from "vitest";
import { printedSchema } from "../../src/schema/schema.ts";
import { connectAgent } from "../support/agent.ts";
import { NO_SERVICE, startGateway } from "../support/gateway.ts";

describe.each(["modern", "legacy"] as const)("The resources of /mcp for a %s client", (era) => {
  it("are pages of the documentation and the graph, and no prompts", async () => {
    await using gateway = await startGateway(NO_SERVICE, { MCP: "on" });
    await using agent = await connectAgent(gateway, { era });
    const { resources } = await agent.client.listResources();
    for (const { uri } of resources) {
      const { contents } = await agent.client.readResource({ uri });
      expect(contents).toMatchObject([{ uri, text: expect.stringMatching(/\S/) }]);
    }
    expect(resources.map(({ name }) => name)).toContain("errors.md");
    const [graph] = (await agent.client.readResource({ uri: "switchboard://schema.graphql" })).contents;
    expect(graph).toMatchObject({ text: printedSchema() });
    await expect(agent.client.readResource({ uri: "switchboard://docs/../package.json" })).rejects.toThrow();
    expect(agent.client.getServerCapabilities()?.prompts).toBeUndefined();
  });

  it("hide the graph where introspection is off", async () => {
    await using gateway = await startGateway(NO_SERVICE, { MCP: "on", INTROSPECTION: "off" });
    await using agent = await connectAgent(gateway, { era });
    const { resources } = await agent.client.listResources();
    expect(resources.map(({ name }) => name)).not.toContain("schema.graphql");
    await expect(agent.client.readResource({ uri: "switchboard://schema.graphql" })).rejects.toThrow();
  });
});
