// What serves /mcp (MCP=on). The tools are read before the database is opened, so that a mistake in one ends the start early.
import type { GraphQLSchema } from "graphql";
import type { McpConfig } from "../config/config.ts";
import type { OwnRequests } from "../graphql/documents/ownRequests.ts";
import type { OperationPipeline } from "../graphql/operation.ts";
import type { RouteHandler } from "../server/routeTable.ts";
import { createAgentViewers } from "./agentViewer.ts";
import { createDiscovery, type Discovery } from "./discovery.ts";
import { createMcpRoute, type McpRouteDeps } from "./mcpRoute.ts";
import type { McpProtocol } from "./mcpServer.ts";
import { readTools } from "./readTools.ts";
import type { Logger } from "../logger.ts";
import type { AgentUse } from "../resolvers/agentUse.ts";
import { createResources } from "./agentResources.ts";
import { createRunTool } from "./runTool.ts";
import { createToolUse } from "./toolUse.ts";

export interface McpTools {
  /** Which agents used which tools, the last first. */
  uses(): AgentUse[];
  serve(deps: McpDeps): Mcp;
}

export interface McpDeps extends Omit<McpRouteDeps, "agents" | "protocol" | "challenge"> {
  pipeline: Pick<OperationPipeline, "prepare">;
  /** Lets the requests of tools run whatever TRUSTED_DOCUMENTS holds. */
  trust: OwnRequests["trust"];
  version: string;
  /** The issuer of the identity provider. Null: there is none. */
  issuer: string | null;
}

/** Disposing of it ends what waits for events, so that a drain need not wait. */
export interface Mcp extends AsyncDisposable {
  route: RouteHandler;
  /** Null: there is no identity provider. */
  metadata: RouteHandler | null;
  /** Ends what still runs. For the time after a drain. */
  close(): Promise<void>;
}

/** Throws a ConfigError that names every file which cannot be a tool. */
export async function readMcp(
  { operations, allow }: McpConfig,
  { schema, introspection, log }: { schema: GraphQLSchema; introspection: boolean; log: Logger },
): Promise<McpTools> {
  const tools = await readTools({ schema, introspection, folder: operations, allow });
  const resources = createResources({ introspection });
  const toolUse = createToolUse(log);

  return {
    uses: toolUse.list,
    serve({ pipeline, trust, version, issuer, ...deps }) {
      const discovery = issuer === null ? null : createDiscovery({ issuer, originPolicy: deps.originPolicy });
      const challenge: Discovery["challenge"] = discovery?.challenge ?? ((refusal) => refusal);
      const { knowsViewers } = deps;
      const stopping = new AbortController();
      const runTool = createRunTool({ pipeline, trust, stopping: stopping.signal, log });
      let loaded: Promise<McpProtocol> | null = null;
      const protocol = () =>
        (loaded ??= load().catch((error: unknown) => {
          // The next request tries again.
          loaded = null;
          throw error;
        }));
      const load = async () =>
        (await import("./mcpServer.ts")).createMcpProtocol({ tools, resources, runTool, toolUse, version, log });
      const agents = createAgentViewers({ knowsViewers });
      return {
        route: createMcpRoute({ ...deps, agents, challenge, protocol }),
        metadata: discovery?.metadata ?? null,
        async close() {
          const protocolInUse = await loaded?.catch(() => null);
          await protocolInUse?.[Symbol.asyncDispose]();
        },
        async [Symbol.asyncDispose]() {
          stopping.abort();
        },
      };
    },
  };
}
