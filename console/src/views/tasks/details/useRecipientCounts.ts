// The people whom a task has called, by outcome: asked anew when another call of the task ended.
import { useEffect, useRef } from "react";
import { useQuery } from "../../../data/useQuery.ts";
import type { ConsoleTaskPeopleQuery } from "../../../gql/graphql.ts";
import { taskPeopleDocument } from "../documents.ts";

export type RecipientCounts = NonNullable<NonNullable<ConsoleTaskPeopleQuery["task"]>["recipientCounts"]>;

/** `calls`: the task's calls that have ended. Null: not known, or this viewer may not see them. */
export function useRecipientCounts(taskId: string, calls: number | null): RecipientCounts | null {
  const { data, refetch } = useQuery(taskPeopleDocument, { taskId });
  const asked = useRef(calls);
  useEffect(() => {
    if (asked.current !== calls) refetch();
    asked.current = calls;
  }, [calls, refetch]);
  return data?.task?.recipientCounts ?? null;
}
