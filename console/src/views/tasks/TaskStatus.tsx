// The status of a task: a colour, a sign and a word.
import { CircleAlert, CircleCheck, CircleDashed, CircleHelp, CirclePlay, CircleStop, ClockAlert } from "lucide-react";
import type { ListedTaskFragment } from "../../gql/graphql.ts";
import { useTexts } from "../../locale/Locale.tsx";
import { texts } from "./texts/texts.ts";
import styles from "./tasks.module.css";

const ICONS = {
  PENDING: CircleDashed,
  RUNNING: CirclePlay,
  DONE: CircleCheck,
  STOP_OPERATE: CircleStop,
  STOP_TIMEOUT: ClockAlert,
  STOP_ABNORMAL: CircleAlert,
  UNKNOWN: CircleHelp,
};

export function TaskStatus({
  task,
}: {
  task: Pick<ListedTaskFragment, "status"> & Partial<Pick<ListedTaskFragment, "unread">>;
}) {
  const t = useTexts(texts);
  const { status, unread } = task;
  // The graph may name further statuses one day.
  const known = status in ICONS ? status : "UNKNOWN";
  const Icon = ICONS[known];
  return (
    <span
      className={styles["taskStatus"]}
      data-status={known}
      title={unread?.find(({ field }) => field === "status")?.text}
    >
      <Icon size={14} aria-hidden="true" />
      {t.status[known]}
    </span>
  );
}
