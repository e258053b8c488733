// What a row of a table shows of a call.
import { Link } from "@tanstack/react-router";
import { PhoneIncoming, PhoneOutgoing } from "lucide-react";
import { useLocale } from "../locale/Locale.tsx";
import { useRowTabIndex } from "../ui/rowStop.ts";
import { PhoneNumber } from "../ui/PhoneNumber.tsx";
import styles from "./callLink.module.css";

export interface LinkedCall {
  sessionId: string | null;
  direction: "INBOUND" | "OUTBOUND" | null;
  caller: string | null;
  callee: string | null;
}

/** The customer's number: what people call the call. `around`: when it was, where the log may not have it. */
export function CallLink({ call, around }: { call: LinkedCall; around?: string | null }) {
  const { t } = useLocale();
  const tabIndex = useRowTabIndex();
  const isInbound = call.direction === "INBOUND";
  const Icon = isInbound ? PhoneIncoming : PhoneOutgoing;
  const content = (
    <>
      <Icon size={14} role="img" aria-label={isInbound ? t.call.inbound : t.call.outbound} />
      <PhoneNumber value={isInbound ? call.caller : call.callee} />
    </>
  );
  const { sessionId } = call;
  if (sessionId === null) {
    return (
      <span className={styles["call"]} title={t.call.noSession} tabIndex={tabIndex}>
        {content}
      </span>
    );
  }
  return (
    <Link
      to="."
      search={(before) => ({ ...before, call: sessionId, around: around ?? undefined })}
      hash={true}
      state={true}
      activeOptions={{ includeSearch: true }}
      className={styles["call"]}
      tabIndex={tabIndex}
      onClick={(event) => event.stopPropagation()}
    >
      {content}
    </Link>
  );
}
