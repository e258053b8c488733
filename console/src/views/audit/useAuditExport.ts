// Where an export of the audit log gets its pages. The log does not say how long it is.
import { useSwitchboard } from "switchboard-client/react";
import { BYTE_ORDER_MARK } from "../../data/csvCell.ts";
import { csvLine, wallTimeOf } from "../../data/csvFile.ts";
import type { AuditEntryFragment } from "../../gql/graphql.ts";
import { useLocale, useTexts } from "../../locale/Locale.tsx";
import type { ExportSource } from "../../ui/export/useExport.ts";
import type { AuditFilter } from "./auditSearch.ts";
import { auditDocument } from "./documents.ts";
import { texts } from "./texts/texts.ts";

const PAGE_SIZE = 100;
const { timeZone } = Intl.DateTimeFormat().resolvedOptions();

/** `filter`: null for all entries. */
export function useAuditExport(filter: AuditFilter | null): ExportSource<AuditEntryFragment> {
  const t = useTexts(texts);
  const { format } = useLocale();
  const client = useSwitchboard();
  return {
    name: "audit",
    kind: "csv",
    head:
      BYTE_ORDER_MARK +
      csvLine([t.when(timeZone), "at", "actor", t.what, "action", "count", "subjectId", "via", "tool", "client"]),
    line: ({ at, actor, action, count, subjectId, via, tool, client }) => {
      const did = t.did[action](format.number(count));
      return csvLine([wallTimeOf(at), at, actor, did, action, count, subjectId, via, tool, client]);
    },
    async ask(after, signal) {
      const { auditEvents } = await client.query(auditDocument, { first: PAGE_SIZE, after, filter }, { signal });
      if (!auditEvents) throw new Error("The gateway answered without a list and without an error.");
      return { ...auditEvents, totalCount: null, driftDetected: false };
    },
  };
}
