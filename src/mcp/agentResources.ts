// What an agent may read beside its tools: some pages of the documentation, and the graph where introspection is on. They are the
// gateway's own words and hold no data.
import { fileURLToPath } from "node:url";
import { printedSchema } from "../schema/schema.ts";
import { readTextFileSync } from "../util/textFile.ts";

export interface AgentResource {
  uri: string;
  name: string;
  title: string;
  description: string;
  mimeType: string;
  /** Throws where the file is not installed. */
  read(): string;
}

const MAX_PAGE_BYTES = 1024 * 1024;

const PAGES = [
  ["agents.md", "Agents", "What the tools are, what an agent can do, and tools of your own."],
  ["queries.md", "Queries", "Filters, pages and times of lists."],
  ["errors.md", "Errors", "Each error code, and what to do about it."],
  ["creating-tasks.md", "Creating tasks", "The input of a task, each reason why it is refused, and approval."],
  ["campaigns.md", "Campaigns", "The people whom a task has called, and what an outcome is."],
  ["glossary.md", "Glossary", "Each word that the pages use."],
] as const;

/** `introspection`: whether clients may see the graph. */
export function createResources({ introspection }: { introspection: boolean }): ReadonlyMap<string, AgentResource> {
  const pages = PAGES.map(([name, title, description]): AgentResource => {
    const file = fileURLToPath(new URL(`../../docs/${name}`, import.meta.url));
    const read = () => readTextFileSync(file, MAX_PAGE_BYTES);
    return { uri: `switchboard://docs/${name}`, name, title, description, mimeType: "text/markdown", read };
  });
  const graph: AgentResource = {
    uri: "switchboard://schema.graphql",
    name: "schema.graphql",
    title: "The graph",
    description: "Each type and field that documents of tools may select.",
    mimeType: "application/graphql",
    read: printedSchema,
  };
  return new Map([...pages, ...(introspection ? [graph] : [])].map((resource) => [resource.uri, resource]));
}
