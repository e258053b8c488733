import { Link } from "@tanstack/react-router";
import { useMemo } from "react";
import type { AuditEntryFragment } from "../../gql/graphql.ts";
import { useLocale, useTexts } from "../../locale/Locale.tsx";
import type { Column } from "../../ui/columns.ts";
import { useRowTabIndex } from "../../ui/rowStop.ts";
import { texts } from "./texts/texts.ts";
import styles from "./audit.module.css";
import tableStyles from "../../ui/table.module.css";

export function useAuditColumns(): readonly Column<AuditEntryFragment>[] {
  const t = useTexts(texts);
  const { format } = useLocale();
  return useMemo(
    () => [
      { id: "at", title: t.at, width: 260, cell: (entry) => <EntryLink entry={entry} /> },
      { id: "actor", title: t.who, width: 200, cell: ({ actor }) => actor },
      {
        id: "action",
        title: t.what,
        width: 320,
        grows: true,
        cell: ({ action, count, via, tool }) =>
          via === null
            ? t.did[action](format.number(count))
            : t.byAgent(t.did[action](format.number(count)), tool ?? via),
      },
    ],
    [t, format],
  );
}

/** The whole time: entries of months stand under each other. */
function EntryLink({ entry: { id, at } }: { entry: AuditEntryFragment }) {
  const { format } = useLocale();
  const tabIndex = useRowTabIndex();
  return (
    <Link
      to="/audit"
      search={(before) => ({ ...before, entry: id })}
      activeOptions={{ includeSearch: true }}
      tabIndex={tabIndex}
      onClick={(event) => event.stopPropagation()}
    >
      <time dateTime={at}>{format.exact(at)}</time>
    </Link>
  );
}

export function NarrowEntry({ entry }: { entry: AuditEntryFragment }) {
  const t = useTexts(texts);
  const { format } = useLocale();
  return (
    <div className={tableStyles["narrow"]}>
      <EntryLink entry={entry} />
      <span>{entry.via === null ? entry.actor : t.byAgent(entry.actor, entry.tool ?? entry.via)}</span>
      <span className={styles["did"]}>{t.did[entry.action](format.number(entry.count))}</span>
    </div>
  );
}
