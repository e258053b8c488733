// The ID of a server-sent event is the cursor of its result, so that a browser that reconnects by itself continues after it. A
// result holds it under a symbol, which JSON leaves out: the operation need not select the cursor.
import type { DocumentNode, ExecutionResult, SelectionSetNode, ValidatedExecutionArgs } from "graphql";
import type { CallEndedEvent } from "../../events/callEndedEvent.ts";
import type { CursorView } from "../../events/cursorView.ts";
import type { StreamItem } from "../../events/eventLog.ts";
import { extensionsOf } from "../../schema/extensions.ts";
import { andThen, type MaybePromise } from "../../util/maybePromise.ts";

const EVENT_ID = Symbol("event ID");
const CHECKPOINT = Symbol("checkpoint");

interface IdentifiedResult extends ExecutionResult {
  [EVENT_ID]?: string;
  [CHECKPOINT]?: true;
}

/** Executes an operation for a value of its source, and adds the ID to the result. */
export type ExecuteWithId = (
  rootValue: unknown,
  execute: (rootValue: unknown) => MaybePromise<ExecutionResult>,
) => MaybePromise<ExecutionResult>;

/** The cursor of an item, as the viewer sees cursors. */
export function shownCursorOf(item: CallEndedEvent | StreamItem, cursors: CursorView): string {
  if (!("kind" in item)) return cursors.ofEvent(item.cursor);
  return item.kind === "event" ? cursors.ofEvent(item.event.cursor) : cursors.ofPlace(item.cursor);
}

/** Null: the subscription does not follow the log, so its results have no ID. */
export function findExecuteWithId(
  { schema, document, operation }: ValidatedExecutionArgs,
  cursors: CursorView,
): ExecuteWithId | null {
  const name = firstFieldOf(operation.selectionSet, document);
  const field = schema.getSubscriptionType()?.getFields()[name ?? ""];
  const logContent = field && extensionsOf(field).logContent;
  if (!logContent) return null;
  return (rootValue, execute): MaybePromise<IdentifiedResult> => {
    const item = rootValue as CallEndedEvent | StreamItem;
    const id = shownCursorOf(item, cursors);
    // Subscribers to events get no result for a checkpoint, but their browsers note its ID.
    if (logContent === "events" && "kind" in item) return { [EVENT_ID]: id, [CHECKPOINT]: true };
    const own: IdentifiedResult = "kind" in item && item.kind === "checkpoint" ? { [CHECKPOINT]: true } : {};
    return andThen(execute(rootValue), (result) => ({ ...result, ...own, [EVENT_ID]: id }));
  };
}

/** Null: the result has no place in the log. An error may say after which cursor its client continues. */
export function eventIdOf(result: ExecutionResult): string | null {
  const own = (result as IdentifiedResult)[EVENT_ID];
  if (own !== undefined) return own;
  const expired = result.errors?.find(({ extensions }) => extensions["code"] === "CURSOR_EXPIRED");
  const cursor = expired?.extensions["cursor"];
  return typeof cursor === "string" ? cursor : null;
}

/** Whether it tells where the stream is, and nothing else. Known of results with an ID. */
export const isCheckpoint = (result: ExecutionResult): boolean => (result as IdentifiedResult)[CHECKPOINT] === true;

/** A valid subscription has one root field, which may be in fragments. */
function firstFieldOf({ selections: [first] }: SelectionSetNode, document: DocumentNode): string | null {
  if (first?.kind === "Field") return first.name.value;
  if (first?.kind === "InlineFragment") return firstFieldOf(first.selectionSet, document);
  for (const definition of document.definitions) {
    if (definition.kind === "FragmentDefinition" && definition.name.value === first?.name.value)
      return firstFieldOf(definition.selectionSet, document);
  }
  return null;
}
