// An agent: the protocol's own client, connected to a gateway over HTTP.
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { bearer } from "./keys.ts";

export interface AgentOptions {
  /** The name of a viewer of keys.ts. */
  as?: string;
  /** The newest revision of the protocol, or those of 2025. */
  era?: "modern" | "legacy";
  headers?: Record<string, string>;
}

export interface ToolError {
  code: string;
  message: string;
  whatToDo: string;
  [extension: string]: unknown;
}

export interface Answer {
  isError: boolean;
  /** The structured content. Empty for an error. */
  // oxlint-disable-next-line typescript/no-explicit-any -- each tool has its own
  data: any;
  errors: ToolError[];
}

export interface Agent extends AsyncDisposable {
  client: Client;
  /** The names of its tools. */
  tools(): Promise<string[]>;
  /** The client checks every answer against the schema of the tool. */
  call(name: string, args?: Record<string, unknown>, options?: { signal?: AbortSignal }): Promise<Answer>;
}

export async function connectAgent(gateway: { url: string }, options: AgentOptions = {}): Promise<Agent> {
  const { as, era = "modern", headers = {} } = options;
  const client = createAgentClient(era);
  const authorization: Record<string, string> = as === undefined ? {} : { authorization: bearer(as) };
  const transport = new StreamableHTTPClientTransport(new URL(`${gateway.url}/mcp`), {
    requestInit: { headers: { ...authorization, ...headers } },
  });
  await client.connect(transport);
  return agentOf(client);
}

export const createAgentClient = (era: NonNullable<AgentOptions["era"]> = "modern"): Client =>
  new Client(
    { name: "test-agent", version: "1.0.0" },
    { versionNegotiation: { mode: era === "modern" ? "auto" : "legacy" } },
  );

export async function agentOf(client: Client): Promise<Agent> {
  // The client checks answers of the tools that it has listed.
  await client.listTools();
  return {
    client,
    tools: async () => (await client.listTools()).tools.map(({ name }) => name),
    async call(name, args = {}, options = {}) {
      const { isError = false, content, structuredContent } = await client.callTool({ name, arguments: args }, options);
      const [{ text = "" } = {}] = content as { text?: string }[];
      if (isError) return { isError, data: {}, errors: (JSON.parse(text) as { errors: ToolError[] }).errors };
      const data = structuredContent as { errors?: ToolError[] };
      if (JSON.stringify(data) !== text) throw new Error("The text is another answer than the structured content.");
      return { isError, data, errors: data.errors ?? [] };
    },
    [Symbol.asyncDispose]: () => client.close(),
  };
}
