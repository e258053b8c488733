// Factories of what a form for a new task offers: known assistants and known lines.
import type { KnownAssistant, KnownAssistants, KnownLine, KnownLines } from "../../generated/graph.ts";
import { assistant } from "./entities.ts";
import { createFactory } from "./factory.ts";

export const knownAssistant = createFactory<KnownAssistant>("KnownAssistant", {
  assistantId: "11",
  name: "Reminder",
  latestVersion: ({ assistantId = "11" }) => assistant({ assistantId }),
  versionIds: () => ["111"],
  knownFrom: () => ["TASK"],
  lastMetAt: "2026-11-19T08:00:00.000Z",
});
export const knownAssistants = createFactory<KnownAssistants>("KnownAssistants", {
  nodes: () => [knownAssistant()],
  hasMore: false,
});
export const knownLine = createFactory<KnownLine>("KnownLine", {
  lineId: "60",
  name: null,
  knownFrom: () => ["TASK"],
  lastMetAt: "2026-11-19T08:00:00.000Z",
});
export const knownLines = createFactory<KnownLines>("KnownLines", { nodes: () => [knownLine()], hasMore: false });
