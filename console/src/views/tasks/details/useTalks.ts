// Counts the numbers of a task that talked for a while. The graph counts answered numbers; the length of a talk is in the
// events, so the answered ones are read once, page by page, and new ones behind them.
import { useEffect, useRef, useState } from "react";
import { useSwitchboard } from "switchboard-client/react";
import { talksDocument } from "../documents.ts";

const TALK_MS = 10_000;
/** Read in one go: 2,000 answered calls. More are at least so many. */
const PAGES = 20;

export interface Talks {
  /** Null while nothing was counted. */
  count: number | null;
  isComplete: boolean;
}

/** `answered`: another number of answered calls reads on. */
export function useTalks(taskId: string, answered: number | null): Talks {
  const client = useSwitchboard();
  const [talks, setTalks] = useState<Talks>({ count: null, isComplete: false });
  const seen = useRef({ items: new Set<string>(), after: null as string | null, pages: 0, isUnreadable: false });

  useEffect(() => {
    const leaving = new AbortController();
    const { signal } = leaving;
    const at = seen.current;
    async function readOn(): Promise<void> {
      for (; at.pages < PAGES;) {
        const { callEndedEvents: page } = await client.query(talksDocument, { taskId, after: at.after }, { signal });
        if (!page || signal.aborted) return;
        for (const { taskItemId, answerAt, endAt } of page.nodes) {
          const isReadable = taskItemId !== null && answerAt !== null && endAt !== null;
          at.isUnreadable ||= !isReadable;
          if (isReadable && Date.parse(endAt) - Date.parse(answerAt) >= TALK_MS) at.items.add(taskItemId);
        }
        at.after = page.pageInfo.endCursor ?? at.after;
        if (page.nodes.length === 100) at.pages += 1;
        const { hasNextPage } = page.pageInfo;
        setTalks({ count: at.items.size, isComplete: !hasNextPage && !at.isUnreadable });
        if (!hasNextPage) return;
      }
    }
    // What was counted stays; the next answered call reads on.
    readOn().catch(() => setTalks((before) => ({ ...before, isComplete: false })));
    return () => leaving.abort();
  }, [client, taskId, answered]);
  return talks;
}
