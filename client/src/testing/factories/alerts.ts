// Factories of alerts on campaigns.
import type { Alert, AlertConnection, AlertEdge, AlertRule } from "../../generated/graph.ts";
import { task } from "./entities.ts";
import { createFactory, edgesOf } from "./factory.ts";
import { pageInfo } from "./values.ts";

const AT = "2026-11-20T02:05:00.000Z";

export const alert = createFactory<Alert>("Alert", {
  id: "Alert:1",
  rule: "answer-rate",
  kind: "ANSWER_RATE",
  text: "The answer rate of task 120 is 12 %, below 30 %: the last 50 calls.",
  taskId: "120",
  task: () => task(),
  assistantId: null,
  key: null,
  destination: null,
  value: 0.12,
  threshold: 0.3,
  unit: "SHARE",
  calls: 50,
  raisedAt: AT,
  resolvedAt: null,
  ending: null,
  acknowledgedAt: null,
  acknowledgedBy: null,
});
export const alertEdge = createFactory<AlertEdge>("AlertEdge", { cursor: "Alert:1", node: () => alert() });
export const alertConnection = createFactory<AlertConnection>("AlertConnection", {
  nodes: () => [alert()],
  edges: ({ nodes = [alert()] }) => edgesOf(nodes, alertEdge),
  pageInfo: () => pageInfo(),
});
export const alertRule = createFactory<AlertRule>("AlertRule", {
  name: "answer-rate",
  kind: "ANSWER_RATE",
  doubts: [],
});
