// Builds the graph from its types and prints it. The printed text is committed as schema.graphql; a test compares both.
import { GraphQLDeferDirective, GraphQLStreamDirective, printSchema, specifiedDirectives } from "graphql";
import { builder, needs } from "./builder.ts";
import { maskTextFields } from "./maskTextFields.ts";
import "./scalars.ts";
import "./node.ts";
import "./callLog.ts";
import "./callLogs.ts";
import "./task.ts";
import "./alert.ts";
import "./auditEvents.ts";
import "./callEndedEvents.ts";
import "./callStats.ts";
import "./checkTask.ts";
import "./createTask.ts";
import "./decideTask.ts";
import "./knownTasks.ts";
import "./doNotCall.ts";
import "./forgetPhone.ts";
import "./gatewayStatus.ts";
import "./historyImport.ts";
import "./destination.ts";
import "./destinationLetter.ts";
import "./projections.ts";
import "./quarantine.ts";
import "./rawDeliveries.ts";
import "./recipient.ts";
import "./taskChoices.ts";
import "./taskSubmissions.ts";
import "./recording.ts";
import "./viewer.ts";

// A field or type without a scope of its own needs calls:read.
const readable = needs("calls:read");
builder.queryType({ description: "Reads calls, events, tasks and assistants.", ...readable });
builder.mutationType({ description: "Creates tasks and administers the gateway.", ...readable });
builder.subscriptionType({ description: "Follows calls, tasks and recordings live.", ...readable });

const directives = [...specifiedDirectives, GraphQLDeferDirective, GraphQLStreamDirective];

export const schema = maskTextFields(builder.toSchema({ directives }));

/** The rules that hold for the whole graph; docs/queries.md explains them. */
const HEADER = `# The GraphQL schema of Switchboard, a gateway in front of an outbound-calling service.
#
# - id is the graph's own key of an object, for caches and node(id): opaque and unique across types. taskId, assistantId,
#   versionId and sessionId are the service's own IDs, exact and always strings.
# - A field that can fail is nullable. Its failure costs only that field, and errors has a code for it.
# - "Needs the scope X": an operation that selects such a field without the scope is refused with FORBIDDEN before it
#   runs. Phone numbers are not refused but masked.
# - Enums and CallStreamItem may grow: have a default branch.
# - Cursors are opaque. The cursor of a list is valid with the same arguments only; the cursor of an event is valid wherever
#   after takes an event, and event cursors are ordered by code unit.
`;

export function printedSchema(): string {
  return `${HEADER}\n${printSchema(schema)}\n`;
}
