import { useNavigate, useSearch } from "@tanstack/react-router";
import { useMemo } from "react";
import { NO_CALLS, useCallColumns, NarrowCall, type ListedCall } from "./callColumns.tsx";
import { useShortcuts } from "../../frame/useShortcuts.ts";
import { useOld } from "../../state/StateProvider.tsx";
import { Button } from "../../ui/Button.tsx";
import { DataTable } from "../../ui/DataTable.tsx";
import { ErrorBar } from "../../ui/ErrorBar.tsx";
import { Notice } from "../../ui/Notice.tsx";
import { Skeleton } from "../../ui/Skeleton.tsx";
import type { CallLogFilter } from "./callsSearch.ts";
import { useCallsTexts } from "./callsTexts.ts";
import { Pager } from "./Pager.tsx";
import { useCallPages } from "./useCallPages.ts";
import tableStyles from "../../ui/table.module.css";

export function CallsList(props: {
  filter: CallLogFilter;
  /** When the clock was read for the range. */
  at: string;
  isFiltered: boolean;
  /** Reads the clock again: the range may end now. */
  onRenew: () => void;
  onWiden: () => void;
}) {
  const { filter, at, isFiltered, onRenew, onWiden } = props;
  const t = useCallsTexts();
  const navigate = useNavigate();
  const { call: openCall } = useSearch({ from: "__root__" });
  const pages = useCallPages(filter, at);
  const { page, query, offset } = pages;
  const { error, failedSince, retryAt, isLoading } = query;
  const calls = useMemo(() => page?.nodes ?? NO_CALLS, [page]);
  const columns = useCallColumns(calls);
  const isOld = useOld(error);

  function readAgain(): void {
    // Leaving a held page reads the clock and the list.
    if (pages.isHeld) return pages.first();
    onRenew();
    query.refetch();
  }
  const isCursorLost = error?.code.startsWith("CURSOR_") ?? false;
  useShortcuts({ "]": () => pages.next?.(), "[": () => pages.previous?.(), r: readAgain });
  return (
    <>
      {error && (
        <ErrorBar
          code={error.code}
          what={page ? t.stale : ""}
          since={failedSince}
          retryAt={retryAt}
          asOf={page ? pages.readAt : null}
          onRetry={isCursorLost ? readAgain : query.refetch}
        />
      )}
      {page && <Pager pages={pages} filter={filter} onReadAgain={readAgain} />}
      <div
        className={tableStyles["list"]}
        aria-busy={isLoading}
        data-stale={(isLoading && page !== null) || undefined}
        data-old={isOld}
      >
        {!page && isLoading && <Skeleton rows={12} />}
        {page && calls.length === 0 && !error && (
          <Notice title={isFiltered ? t.emptyFiltered : t.empty}>
            {isFiltered ? t.emptyFilteredHint : t.emptyHint}
            <div>
              <Button onClick={onWiden}>{t.widen}</Button>
            </div>
          </Notice>
        )}
        {calls.length > 0 && (
          <DataTable<ListedCall>
            key={offset}
            label={t.list}
            name="calls"
            kind="call"
            columns={columns}
            rows={calls}
            keyOf={keyOf}
            narrow={(call) => <NarrowCall call={call} />}
            stateOf={({ sessionId }) => ({
              isSelected: sessionId !== null && sessionId === openCall,
              isFresh: false,
            })}
            canOpen={({ sessionId }) => sessionId !== null}
            onOpen={({ sessionId, startAt, endAt }) => {
              if (sessionId === null) return;
              const around = startAt ?? endAt ?? undefined;
              void navigate({
                to: ".",
                search: (before) => ({ ...before, call: sessionId, around }),
                hash: true,
                state: true,
              });
            }}
            resizeLabel={t.resize}
          />
        )}
      </div>
    </>
  );
}

const keyOf = ({ id }: ListedCall): string => id;
