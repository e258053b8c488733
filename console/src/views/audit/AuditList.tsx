import { useNavigate } from "@tanstack/react-router";
import { useEffect, useMemo } from "react";
import { useEvery } from "../../data/useEvery.ts";
import { useQuery } from "../../data/useQuery.ts";
import { useShortcuts } from "../../frame/useShortcuts.ts";
import { useTexts } from "../../locale/Locale.tsx";
import { useSession } from "../../session/SessionProvider.tsx";
import { useOld } from "../../state/StateProvider.tsx";
import { DataTable } from "../../ui/DataTable.tsx";
import { ErrorBar } from "../../ui/ErrorBar.tsx";
import { Notice } from "../../ui/Notice.tsx";
import { Pages } from "../../ui/pages/Pages.tsx";
import { Skeleton } from "../../ui/Skeleton.tsx";
import { isSearchable, type AuditFilter } from "./auditSearch.ts";
import { NarrowEntry, useAuditColumns } from "./auditColumns.tsx";
import { auditDocument } from "./documents.ts";
import { texts } from "./texts/texts.ts";
import type { AuditEntryFragment } from "../../gql/graphql.ts";
import styles from "./audit.module.css";
import tableStyles from "../../ui/table.module.css";

const PAGE_SIZE = 50;
const EVERY_MS = 30_000;

export function AuditList(props: {
  /** Null: all entries. */
  filter: AuditFilter | null;
  /** The page behind this cursor; null: the newest one, which is read again by itself. */
  after: string | null;
  /** The entry with details. */
  opened: string | null;
  /** Takes the names of the viewers on the page. */
  onActors: (names: readonly string[]) => void;
}) {
  const { filter, after, opened, onActors } = props;
  const t = useTexts(texts);
  const navigate = useNavigate();
  const columns = useAuditColumns();
  const seesPeople = useSession().holds("people:read");
  const variables = useMemo(() => ({ first: PAGE_SIZE, after, filter }), [after, filter]);
  const { data, error, failedSince, retryAt, answeredAt, isLoading, refetch } = useQuery(auditDocument, variables);
  useEvery(EVERY_MS, () => after === null && refetch());
  const isOld = useOld(error);
  const page = data?.auditEvents;
  useEffect(() => {
    // A filter by name must not leave its own name alone to choose from.
    if (!page || filter !== null) return;
    const names = page.nodes.map(({ actor }) => actor).filter((actor) => isSearchable(actor, seesPeople));
    onActors([...new Set(names)]);
  }, [page, filter, onActors, seesPeople]);

  function turn(to: string | null): void {
    void navigate({ to: "/audit", search: (before) => ({ ...before, entry: undefined, after: to ?? undefined }) });
  }
  const older = page?.pageInfo.hasNextPage ? page.pageInfo.endCursor : null;
  useShortcuts({
    "]": () => older !== null && turn(older),
    "[": () => after !== null && turn(null),
    r: refetch,
  });
  return (
    <>
      {error && (
        <ErrorBar
          code={error.code}
          what={t.failed}
          since={failedSince}
          retryAt={retryAt}
          asOf={answeredAt}
          // Another gateway, or another key, may have made the cursor.
          onRetry={error.code.startsWith("CURSOR_") ? () => turn(null) : refetch}
        />
      )}
      <div className={styles["status"]}>
        <p>{t.hint}</p>
        <Pages page={page} after={after} onTurn={turn} />
      </div>
      <div className={tableStyles["list"]} aria-busy={isLoading} data-old={isOld}>
        {!page && !error && <Skeleton rows={12} />}
        {page?.nodes.length === 0 && !error && (
          <Notice title={filter ? t.noMatch : t.empty}>{filter ? t.noMatchHint : t.emptyHint}</Notice>
        )}
        {page && page.nodes.length > 0 && (
          <DataTable<AuditEntryFragment>
            key={after}
            label={t.list}
            name="audit"
            kind="auditEntry"
            columns={columns}
            rows={page.nodes}
            keyOf={({ id }) => id}
            narrow={(entry) => <NarrowEntry entry={entry} />}
            stateOf={({ id }) => ({ isSelected: id === opened, isFresh: false })}
            onOpen={({ id }) => void navigate({ to: "/audit", search: (before) => ({ ...before, entry: id }) })}
            resizeLabel={t.resize}
          />
        )}
      </div>
    </>
  );
}
