// Pages of the tasks that the gateway knows. A task that becomes active while a client pages moves to the top of the list:
// later pages do not have it, and no other task is missed or repeated.
import type { Signer } from "../util/hmac.ts";
import type { Context } from "./context.ts";
import { checkFirst } from "./inputRules.ts";
import { pageInfo, positionCursor, readPositionCursor, type PageInfo, type Paging } from "./pageInfo.ts";

export interface TaskEdge {
  cursor: string;
  taskId: string;
}

export interface TaskConnection {
  edges: TaskEdge[];
  pageInfo: PageInfo;
}

/** The last active task comes first. The service is asked only for tasks whose fields are selected. */
export async function knownTasks(
  { first, after }: Paging,
  { knownTasks: known, signer, queryOwner, queuedRead }: Context,
): Promise<TaskConnection> {
  checkFirst(first);
  const position = after == null ? null : readCursor(after, signer);
  const found = await queuedRead(queryOwner, ["tasks", position, first], () => known.page(position, first + 1));
  const edges = found.slice(0, first).map(({ activeAt, taskId }) => ({
    taskId,
    cursor: positionCursor("known tasks", [activeAt, taskId], signer),
  }));
  return { edges, pageInfo: pageInfo(edges, { hasNextPage: found.length > first, hasPreviousPage: after != null }) };
}

function readCursor(cursor: string, signer: Signer) {
  const [activeAt, taskId] = readPositionCursor("known tasks", cursor, signer);
  return { activeAt, taskId };
}
