// Where the page stands in the list, when the list was read, and what is not certain about it.
import { ChevronLeft, ChevronRight, RotateCw, TriangleAlert } from "lucide-react";
import { useLocale } from "../../locale/Locale.tsx";
import { Button } from "../../ui/Button.tsx";
import type { CallLogFilter } from "./callsSearch.ts";
import { useCallsTexts } from "./callsTexts.ts";
import { EndedSince } from "./EndedSince.tsx";
import type { CallPages } from "./useCallPages.ts";
import styles from "./calls.module.css";

export function Pager(props: { pages: CallPages; filter: CallLogFilter; onReadAgain: () => void }) {
  const { pages, filter, onReadAgain } = props;
  const { page, offset, readAt, next, previous, query } = pages;
  const t = useCallsTexts();
  const { format } = useLocale();
  if (!page) return null;
  const last = offset + page.nodes.length;
  // The service counts anew for each page, and may count less than it already gave.
  const isAtLeast = page.driftDetected || page.totalCount < last;
  const total = format.number(Math.max(page.totalCount, last));
  const position =
    page.nodes.length === 0
      ? t.count(format.number(page.totalCount))
      : t.position(format.number(offset + 1), format.number(last), isAtLeast ? t.atLeast(total) : total);
  return (
    <div className={styles["status"]}>
      <span role="status" className={styles["place"]}>
        {position}
      </span>
      <span className={styles["readAt"]}>{t.readAt(`${format.timeOfDay(readAt)} ${format.zone}`)}</span>
      {page.phoneWritings && (
        <span className={styles["readAt"]}>
          {t.writings(
            page.phoneWritings.map(({ text, totalCount }) => `${text} (${format.number(totalCount)})`).join(", "),
          )}
        </span>
      )}
      {page.driftDetected && (
        <span className={styles["drift"]} role="alert">
          <TriangleAlert size={14} aria-hidden="true" />
          {t.drift}
        </span>
      )}
      <EndedSince key={page.headCursor} page={page} filter={filter} onRead={onReadAgain} />
      <span className={styles["pager"]}>
        <Button kind="icon" aria-label={t.readAgain} title={t.readAgain} onClick={onReadAgain}>
          <RotateCw size={15} aria-hidden="true" data-spins={query.isLoading || undefined} />
        </Button>
        <Button kind="icon" aria-label={t.previous} title={t.previous} disabled={!previous} onClick={previous ?? none}>
          <ChevronLeft size={16} aria-hidden="true" />
        </Button>
        <Button kind="icon" aria-label={t.next} title={t.next} disabled={!next} onClick={next ?? none}>
          <ChevronRight size={16} aria-hidden="true" />
        </Button>
      </span>
    </div>
  );
}

const none = (): void => undefined;
