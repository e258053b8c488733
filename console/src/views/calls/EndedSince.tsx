// How many calls that match ended after the list was read. The stream behind it keeps the connection state true, too.
import { useMemo } from "react";
import { useCallEnded } from "switchboard-client/react";
import { useLocale } from "../../locale/Locale.tsx";
import { Button } from "../../ui/Button.tsx";
import type { CallLogFilter } from "./callsSearch.ts";
import { useCallsTexts } from "./callsTexts.ts";
import { endedSinceDocument } from "./documents.ts";
import type { CallsPage } from "./useCallPages.ts";
import styles from "./calls.module.css";

const LIMIT = 1000;
const NONE: readonly never[] = [];

export function EndedSince(props: { page: CallsPage; filter: CallLogFilter; onRead: () => void }) {
  const { page, filter, onRead } = props;
  const t = useCallsTexts();
  const { format } = useLocale();
  const ended = useMemo(() => {
    const { kind: _, until: __, ...others } = filter;
    return others;
  }, [filter]);
  const initial = useMemo(() => ({ nodes: NONE, headCursor: page.headCursor }), [page.headCursor]);
  const { items } = useCallEnded({ document: endedSinceDocument, initial, filter: ended, limit: LIMIT });
  const listed = new Set(page.nodes.map(({ sessionId }) => sessionId));
  const fresh = items.filter((item) => item.type === "call" && !listed.has(item.call.sessionId)).length;
  // An event does not tell its kind, and a range with an end does not grow.
  if (fresh === 0 || filter.kind || filter.until) return null;
  const count = format.number(fresh);
  return (
    <Button kind="quiet" className={styles["fresh"]} onClick={onRead}>
      {t.endedSince(fresh < LIMIT ? count : `${count}+`)}
    </Button>
  );
}
