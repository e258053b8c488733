// Each mutation of the graph, in a tool of an operator: agents have two of them, and an approval cannot be allowed.
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { getNamedType, isLeafType, isRequiredArgument, type GraphQLField } from "graphql";
import { describe, expect, it } from "vitest";
import { ConfigError } from "../../src/config/readVariables.ts";
import { readTools } from "../../src/mcp/readTools.ts";
import { schema } from "../../src/schema/schema.ts";

const mutations = Object.values(schema.getMutationType()?.getFields() ?? {});

function documentOf({ name, args, type }: GraphQLField<unknown, unknown>): string {
  const needed = args.filter(isRequiredArgument);
  const declared = needed.map((argument) => `$${argument.name}: ${String(argument.type)}`).join(", ");
  const given = needed.map((argument) => `${argument.name}: $${argument.name}`).join(", ");
  const [before, after] = needed.length === 0 ? ["", ""] : [`(${declared})`, `(${given})`];
  const selected = isLeafType(getNamedType(type)) ? "" : " { __typename }";
  return `"Does something." mutation a${before} { ${name}${after}${selected} }`;
}

/** What ends the start. Empty: the tool is there. */
async function problemsOf(document: string, allow: string[]): Promise<readonly string[]> {
  const folder = await mkdtemp(join(tmpdir(), "switchboard-tools-"));
  try {
    await writeFile(join(folder, "a.graphql"), document);
    const tools = await readTools({ schema, introspection: true, folder, allow });
    return tools.has("a") ? [] : ["There is no such tool."];
  } catch (error) {
    if (error instanceof ConfigError) return error.problems;
    throw error;
  } finally {
    await rm(folder, { recursive: true });
  }
}

describe("A tool of an operator", () => {
  it.each(mutations.map((field) => [field.name, field] as const))(
    "with %s needs what docs/agents.md says",
    async (name, field) => {
      const document = documentOf(field);
      const plain = await problemsOf(document, []);
      if (name === "checkTask" || name === "createTask") return expect(plain).toEqual([]);
      expect(plain).toEqual([expect.stringContaining(`asks for ${name}`)]);
      const allowed = await problemsOf(document, [name]);
      if (name === "approveTask") expect(allowed.join()).toContain("MCP_ALLOW cannot name approveTask");
      else expect(allowed).toEqual([]);
    },
  );
});

describe("The tools that propose", () => {
  it("require an idempotency key of their caller, and invent none", async () => {
    const tools = await readTools({ schema, introspection: true, folder: null, allow: [] });
    const proposing = [...tools.values()].filter(({ proposalPath }) => proposalPath !== null);
    expect(proposing.map(({ document }) => document.name)).toEqual(["propose_calling_again", "propose_task"]);
    for (const { inputSchema, document } of proposing) {
      const place = inputSchema.properties["input"] ?? inputSchema;
      expect(place.required).toContain("idempotencyKey");
      expect(place.properties?.["idempotencyKey"]).not.toHaveProperty("default");
      expect(document.text).not.toMatch(/idempotencyKey: "/);
    }
  });
});
