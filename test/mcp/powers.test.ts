// The table of docs/agents.md: which tools an agent has with a key of some scopes.
import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import type { Scope } from "../../src/auth/scopes.ts";
import { unrestricted } from "../../src/auth/viewerPolicy.ts";
import { createAgentViewers } from "../../src/mcp/agentViewer.ts";
import { readTools } from "../../src/mcp/readTools.ts";
import { schema } from "../../src/schema/schema.ts";

const page = readFileSync(new URL("../../docs/agents.md", import.meta.url), "utf8");
const [, table = ""] = page.split("## What an agent can do at worst");
const namesIn = (cell: string) => [...cell.matchAll(/`([a-z_:]+)`/g)].map(([, name = ""]) => name);
const rows = [...table.matchAll(/^\| (.+?) \| (.+?) \| (.+?) \|$/gm)]
  .slice(1)
  .map(([, scopes = "", tools = ""]) => ({ scopes: namesIn(scopes), tools }));

describe("The table of powers in docs/agents.md", () => {
  it("names for each key the tools that it has, and all of them", async () => {
    const tools = await readTools({ schema, introspection: true, folder: null, allow: [] });
    const { viewerOf } = createAgentViewers({ knowsViewers: true });
    const toolsOf = (scopes: readonly string[]) => {
      const viewer = viewerOf({ name: "key", scopes: new Set(scopes as Scope[]), ...unrestricted }, new Set());
      return [...tools.values()].filter(({ isAllowed }) => isAllowed(viewer)).map(({ document }) => document.name);
    };
    const reading = toolsOf(["calls:read"]);
    const said = ({ tools: cell }: (typeof rows)[number]): string[] => {
      if (cell.startsWith("none")) return [];
      if (cell.startsWith("the same")) return toolsOf(["calls:read", "tasks:propose"]);
      return cell.includes("those of")
        ? [...namesIn(cell).filter((name) => !name.includes(":")), ...reading]
        : namesIn(cell);
    };
    expect(rows).toHaveLength(6);
    for (const row of rows) expect([row.scopes, toolsOf(row.scopes).sort()]).toEqual([row.scopes, said(row).sort()]);
    const named = new Set(rows.flatMap(said));
    expect([...tools.keys()].filter((name) => !named.has(name))).toEqual([]);
  });
});

describe("The settings of an assistant in docs/agents.md", () => {
  it("name the address of the tools", () => {
    const [, text = ""] = /```json\n(.*?)```/s.exec(page) ?? [];
    const { mcpServers } = JSON.parse(text) as { mcpServers: Record<string, { type: string; url: string }> };
    expect(mcpServers["switchboard"]).toEqual({ type: "http", url: "http://127.0.0.1:4000/mcp" });
  });
});
