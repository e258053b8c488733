// The graph, built from its types, and its text. The text is committed beside this file, and a test holds them equal.
import { printSchema } from "graphql";
import { builder, needs } from "./builder.ts";
import { maskTextFields } from "./maskTextFields.ts";
import "./scalars.ts";
import "./node.ts";
import "./callLog.ts";
import "./callOfEvent.ts";
import "./task.ts";
import "./taskCallLogs.ts";
import "./callEndedEvents.ts";
import "./callStats.ts";
import "./createTask.ts";
import "./knownTasks.ts";
import "./forgetPhone.ts";
import "./gatewayStatus.ts";
import "./quarantine.ts";
import "./taskSubmissions.ts";
import "./recording.ts";
import "./viewer.ts";

// What names no scope of its own is read with calls:read.
builder.queryType(needs("calls:read"));
builder.mutationType(needs("calls:read"));
builder.subscriptionType(needs("calls:read"));

export const schema = maskTextFields(builder.toSchema());

export function printedSchema(): string {
  return `${printSchema(schema)}\n`;
}
