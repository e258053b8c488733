// The tasks that the gateway knows of, page by page. A task that becomes active while a list is paged moves to its top:
// whoever reads on does not meet it there, and nothing else is missed or met twice.
import type { Context } from "./context.ts";
import type { Signer } from "../util/hmac.ts";
import { pageInfo, type PageInfo } from "./pageInfo.ts";
import { placeCursor, readPlaceCursor } from "./placeCursor.ts";
import { checkFirst } from "./inputRules.ts";

export interface TaskEdge {
  cursor: string;
  taskId: string;
}

export interface TaskConnection {
  edges: TaskEdge[];
  pageInfo: PageInfo;
}

/** Last active first. The service is asked for the tasks whose fields are selected, and for no others. */
export async function knownTasks(
  { first, after }: { first: number; after?: string | null | undefined },
  { knownTasks: known, seal, reader, inTurn }: Context,
): Promise<TaskConnection> {
  checkFirst(first);
  const place = after == null ? null : readCursor(after, seal);
  const found = await inTurn(reader, ["tasks", place, first], () => known.page(place, first + 1));
  const edges = found.slice(0, first).map(({ activeAt, taskId }) => ({
    taskId,
    cursor: placeCursor("known tasks", [activeAt, taskId], seal),
  }));
  return { edges, pageInfo: pageInfo(edges, { hasNextPage: found.length > first, hasPreviousPage: after != null }) };
}

function readCursor(cursor: string, seal: Signer) {
  const [activeAt, taskId] = readPlaceCursor("known tasks", cursor, seal);
  return { activeAt, taskId };
}
