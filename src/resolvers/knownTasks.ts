// The tasks that the gateway knows of, page by page. A task that becomes active while a list is paged moves to its top:
// whoever reads on does not meet it there, and nothing else is missed or met twice.
import { z } from "zod";
import type { Context } from "../context.ts";
import { CodedError } from "../errors.ts";
import type { Seal } from "../seal.ts";
import { pageInfo, type PageInfo } from "./pageInfo.ts";
import { checkFirst } from "./rules.ts";

export interface TaskEdge {
  cursor: string;
  taskId: string;
}

export interface TaskConnection {
  edges: TaskEdge[];
  pageInfo: PageInfo;
}

const place = z.tuple([z.string(), z.string()]);

/** Last active first. The service is asked for the tasks whose fields are selected, and for no others. */
export async function knownTasks(
  { first, after }: { first: number; after?: string | null | undefined },
  { knownTasks: known, seal }: Context,
): Promise<TaskConnection> {
  checkFirst(first);
  const found = await known.page(after == null ? null : readCursor(after, seal), first + 1);
  const edges = found.slice(0, first).map(({ activeAt, taskId }) => ({
    taskId,
    cursor: seal.close("known tasks", Buffer.from(JSON.stringify([activeAt, taskId])).toString("base64url")),
  }));
  return { edges, pageInfo: pageInfo(edges, { hasNextPage: found.length > first, hasPreviousPage: after != null }) };
}

function readCursor(cursor: string, seal: Seal) {
  const text = seal.open("known tasks", cursor);
  if (text === null) throw new CodedError("CURSOR_INVALID", "The cursor is not one of this list's.");
  const [activeAt, taskId] = place.parse(JSON.parse(Buffer.from(text, "base64url").toString("utf8")));
  return { activeAt, taskId };
}
