// One export at a time. A view that is left ends it.
import { useEffect, useRef, useState } from "react";
import type { SwitchboardError } from "switchboard-client";
import { useSwitchboard } from "switchboard-client/react";
import { openExportFile, type ExportFile } from "../../../data/exportFile.ts";
import { useLocale, useTexts } from "../../../locale/Locale.tsx";
import { auditDocument } from "../documents.ts";
import { texts } from "../texts/texts.ts";
import { exportAudit, type AuditExportProgress, type AuditPage } from "./exportAudit.ts";

export type AuditExportState =
  | { name: "none" }
  | { name: "running"; progress: AuditExportProgress }
  | { name: "saved"; rows: number; file: string }
  /** `code` null: the file could not be written. Nothing was saved. */
  | { name: "failed"; code: string | null };

export interface AuditExport {
  state: AuditExportState;
  start(): void;
  /** Keeps nothing of an export that runs. */
  close(): void;
}

const PAGE_SIZE = 100;

export function useAuditExport(): AuditExport {
  const t = useTexts(texts);
  const { format } = useLocale();
  const client = useSwitchboard();
  const [state, setState] = useState<AuditExportState>({ name: "none" });
  const leaving = useRef<AbortController | null>(null);
  const isOpening = useRef(false);
  useEffect(() => () => leaving.current?.abort(), []);

  async function run(): Promise<void> {
    const made = new AbortController();
    const { signal } = made;
    leaving.current = made;
    let file: ExportFile | null = null;
    try {
      const day = new Date().toISOString().slice(0, 16).replaceAll(":", "");
      file = await openExportFile(`audit-${day}Z.csv`, "text/csv");
      if (!file) return;
      setState({ name: "running", progress: { rows: 0, waitingUntil: null } });
      const rows = await exportAudit({
        ask: (after) => ask(after, signal),
        file,
        wordsOf: ({ action, count }) => t.did[action](format.number(count)),
        titles: { when: t.when(Intl.DateTimeFormat().resolvedOptions().timeZone), what: t.what },
        signal,
        onProgress: (progress) => !signal.aborted && setState({ name: "running", progress }),
      });
      await file.save();
      setState({ name: "saved", rows, file: file.name });
    } catch (error) {
      await file?.discard().catch(() => undefined);
      if (signal.aborted) return;
      const { code } = error as Partial<SwitchboardError>;
      setState({ name: "failed", code: typeof code === "string" ? code : null });
    }
  }
  async function ask(after: string | null, signal: AbortSignal): Promise<AuditPage> {
    const { auditEvents } = await client.query(auditDocument, { first: PAGE_SIZE, after }, { signal });
    if (!auditEvents) throw new Error("The gateway answered without a list and without an error.");
    return auditEvents;
  }
  return {
    state,
    start() {
      // The place of the file is being chosen.
      if (isOpening.current) return;
      isOpening.current = true;
      void run().finally(() => (isOpening.current = false));
    },
    close() {
      leaving.current?.abort();
      setState({ name: "none" });
    },
  };
}
