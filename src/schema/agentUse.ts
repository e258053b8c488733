// Which agents used which tools in the process that answers.
import type { AgentUse as AgentUseData } from "../resolvers/agentUse.ts";
import { builder, needs } from "./builder.ts";

export const AgentUse = builder.objectRef<AgentUseData>("AgentUse").implement({
  description: "How one client of a viewer has used one tool for agents, since the process that answers was started.",
  ...needs("admin"),
  fields: (t) => ({
    viewer: t.exposeString("viewer", {
      nullable: false,
      description: "The viewer: the name of its API key, or of the subject of its token.",
    }),
    client: t.exposeString("client", {
      description: "The client, as it names itself, which nobody checks. Null: it did not.",
    }),
    tool: t.exposeString("tool", {
      nullable: false,
      description: "The name of the tool.",
    }),
    calls: t.exposeInt("calls", { nullable: false, description: "Number of calls of the tool." }),
    failed: t.exposeInt("failed", {
      nullable: false,
      description: "Number of those calls that were answered with an error.",
    }),
    lastAt: t.expose("lastAt", { type: "DateTime", nullable: false, description: "When the last call was answered." }),
  }),
});
