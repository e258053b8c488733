// One delivery: when, why, its body, and what can be done. What was done stays beside it until the list is read anew.
import { Link } from "@tanstack/react-router";
import { useState } from "react";
import type { SwitchboardError } from "switchboard-client";
import { useSwitchboard } from "switchboard-client/react";
import { useLocale, useTexts } from "../../locale/Locale.tsx";
import { Button } from "../../ui/Button.tsx";
import { Confirm } from "../../ui/Confirm.tsx";
import { errorText } from "../../ui/ErrorBar.tsx";
import type { ConsoleQuarantineQuery } from "../../gql/graphql.ts";
import { discardDocument, reprocessDocument } from "./documents.ts";
import { en } from "./texts/en.ts";
import { zh } from "./texts/zh.ts";
import styles from "./health.module.css";

type Delivery = NonNullable<ConsoleQuarantineQuery["quarantinedDeliveries"]>["nodes"][number];

type Done =
  | { name: "moved"; sessionId: string }
  | { name: "discarded" | "gone" }
  | { name: "stillUnread"; reason: string }
  | { name: "failed"; code: string };

/** Names of the Encoding Standard. */
const CHARSETS = [
  "utf-8",
  "utf-16le",
  "utf-16be",
  "gb18030",
  "big5",
  "shift_jis",
  "euc-jp",
  "euc-kr",
  "windows-1251",
  "windows-1252",
];

export function QuarantinedDelivery({ delivery }: { delivery: Delivery }) {
  const t = useTexts({ en, zh });
  const { format } = useLocale();
  const client = useSwitchboard();
  const [busy, setBusy] = useState<"reprocess" | "discard" | null>(null);
  const [done, setDone] = useState<Done | null>(null);
  const [isAsking, setAsking] = useState(false);
  /** Empty: what the sender declared, or what the bytes show. */
  const [charset, setCharset] = useState("");
  const { id, receivedAt, kind, reason, body } = delivery;
  const isSettled = done !== null && done.name !== "stillUnread" && done.name !== "failed";
  const at = format.exact(receivedAt);

  async function run(name: "reprocess" | "discard", action: () => Promise<Done>): Promise<void> {
    setBusy(name);
    setDone(await action().catch(({ code }: SwitchboardError): Done => ({ name: "failed", code })));
    setBusy(null);
    setAsking(false);
  }
  async function reprocess(): Promise<Done> {
    const { reprocessQuarantined: result } = await client.mutate(reprocessDocument, { id, charset: charset || null });
    if (result?.event) return { name: "moved", sessionId: result.event.sessionId };
    return result?.reason ? { name: "stillUnread", reason: result.reason } : { name: "gone" };
  }
  async function discard(): Promise<Done> {
    const { discardQuarantined: result } = await client.mutate(discardDocument, { id });
    return { name: result?.delivery ? "discarded" : "gone" };
  }
  return (
    <li className={styles["delivery"]}>
      <div className={styles["deliveryHead"]}>
        <time dateTime={receivedAt}>{at}</time>
        <span className={styles["reason"]}>{reason}</span>
        {!isSettled && (
          <span className={styles["deliveryActions"]}>
            <select
              aria-label={t.charsetOf(at)}
              value={charset}
              disabled={busy !== null}
              onChange={({ target }) => setCharset(target.value)}
            >
              <option value="">{t.declaredCharset(delivery.charset)}</option>
              {CHARSETS.map((each) => (
                <option key={each} value={each}>
                  {each}
                </option>
              ))}
            </select>
            <Button disabled={busy !== null} onClick={() => void run("reprocess", reprocess)}>
              {busy === "reprocess" ? t.reprocessing : t.reprocess}
            </Button>
            <Button kind="quiet" disabled={busy !== null} onClick={() => setAsking(true)}>
              {t.discard}
            </Button>
          </span>
        )}
      </div>
      <p role="status" className={styles["done"]}>
        {done && <Outcome done={done} />}
      </p>
      <details>
        <summary>{t.body}</summary>
        <pre tabIndex={0} role="region" aria-label={t.bodyOf(at)}>
          {body}
        </pre>
      </details>
      <Confirm
        isOpen={isAsking}
        title={t.discardTitle}
        confirmText={t.discardConfirm}
        cancelText={t.cancel}
        isBusy={busy !== null}
        onConfirm={() => void run("discard", discard)}
        onClose={() => setAsking(false)}
      >
        {t.discardTexts[kind]}
      </Confirm>
    </li>
  );
}

function Outcome({ done }: { done: Done }) {
  const t = useTexts({ en, zh });
  const { t: shared } = useLocale();
  if (done.name === "stillUnread") return t.stillUnread(done.reason);
  if (done.name === "failed") return `${t.actionFailed} ${errorText(shared, done.code)}`;
  if (done.name !== "moved") return t[done.name];
  return (
    <>
      {t.moved}{" "}
      <Link to="." search={(before) => ({ ...before, call: done.sessionId })}>
        {t.showCall}
      </Link>
    </>
  );
}
