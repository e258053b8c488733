// Factories of the people of a task. They leave out their calls: those lead to the person.
import type {
  OutcomeCount,
  Projection,
  Recipient,
  RecipientConnection,
  RecipientCounts,
  RecipientEdge,
} from "../../generated/graph.ts";
import { createFactory, edgesOf } from "./factory.ts";
import { pageInfo } from "./values.ts";

const CALLED_AT = "2026-11-20T01:31:00.000Z";

export const recipient = createFactory<Recipient>("Recipient", {
  outcome: "REACHED",
  attempts: 1,
  talkTime: 55,
  firstCallAt: CALLED_AT,
  lastCallAt: CALLED_AT,
  lastReason: "NORMAL_CLEARING",
  phone: "13800010001",
  extra: () => ({ 姓名: "Li" }),
  lastCall: null,
  calls: () => [],
});
export const recipientEdge = createFactory<RecipientEdge>("RecipientEdge", {
  cursor: "cursor-1",
  node: () => recipient(),
});
export const recipientConnection = createFactory<RecipientConnection>("RecipientConnection", {
  nodes: () => [recipient()],
  edges: ({ nodes = [recipient()] }) => edgesOf(nodes, recipientEdge),
  pageInfo: () => pageInfo(),
  upTo: "event-head",
});
export const outcomeCount = createFactory<OutcomeCount>("OutcomeCount", {
  outcome: "REACHED",
  recipients: 1,
  attempts: 1,
  talkTime: 55,
});
export const recipientCounts = createFactory<RecipientCounts>("RecipientCounts", {
  recipients: 1,
  attempts: 1,
  talkTime: 55,
  byOutcome: () => [outcomeCount()],
  notCalled: 9,
  upTo: "event-head",
});
export const projection = createFactory<Projection>("Projection", {
  name: "recipients",
  build: 1,
  version: "1",
  state: "LIVE",
  cursor: "event-head",
  behind: 0,
});
