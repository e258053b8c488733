// Open alerts, of all, of a task or of a destination, each with a button that says that somebody has seen to it.
import { Link, useLocation } from "@tanstack/react-router";
import { useEffect, useRef } from "react";
import { useSwitchboard } from "switchboard-client/react";
import { useLocale, useTexts } from "../locale/Locale.tsx";
import { useSession } from "../session/SessionProvider.tsx";
import { useOld } from "../state/StateProvider.tsx";
import { Button } from "../ui/Button.tsx";
import { errorText } from "../ui/ErrorBar.tsx";
import { Time } from "../ui/Time.tsx";
import { useAction } from "../views/destinations/useAction.ts";
import { useAlertsOf, useOpenAlerts, type OpenAlert, type OpenAlerts } from "./AlertsProvider.tsx";
import { acknowledgeDocument } from "./documents.ts";
import { texts } from "./texts/texts.ts";
import styles from "./alerts.module.css";

/** As the gateway asks: those who plan campaigns, and those who run the gateway. */
const ACKNOWLEDGING = ["tasks:create", "tasks:propose", "tasks:approve", "admin"] as const;

export function AlertList() {
  return <List open={useOpenAlerts()} at="all" />;
}

/** Those of one task. */
export function TaskAlerts({ taskId }: { taskId: string }) {
  return <List open={useAlertsOf(taskId)} at="task" />;
}

/** Those of one destination, among those that the bar counts. */
export function DestinationAlerts({ name }: { name: string }) {
  const t = useTexts(texts);
  const { alerts, refetch } = useOpenAlerts();
  const own = alerts.filter(({ destination }) => destination === name);
  return (
    <List open={{ alerts: own, hasMore: false, isFailed: false, refetch }} at="destination" title={t.titleOf(name)} />
  );
}

/** Where alerts are shown: there it is said already what they are about. */
type Place = "all" | "task" | "destination";

/** Shows nothing where there are none. */
function List({ open, at, title }: { open: OpenAlerts; at: Place; title?: string }) {
  const { alerts, hasMore, isFailed, refetch } = open;
  const t = useTexts(texts);
  const { format } = useLocale();
  const all = useOpenAlerts();
  const isOld = useOld(isFailed || null);
  const chosen = useLocation({ select: ({ hash }) => hash });
  const section = useRef<HTMLElement>(null);
  const isShown = alerts.length > 0 || isFailed;
  const isChosen = at === "all" && chosen === "alerts" && isShown;
  useEffect(() => {
    if (isChosen) section.current?.focus();
  }, [isChosen]);
  if (!isShown) return null;
  const onSeen = () => {
    refetch();
    if (at === "task") all.refetch();
  };
  return (
    <section ref={section} className={styles["section"]} aria-label={title ?? t.title} tabIndex={-1} data-old={isOld}>
      {at === "destination" ? <h3>{title}</h3> : <h2>{t.title}</h2>}
      {isFailed && <p className={styles["failed"]}>{t.failed}</p>}
      <ul className={styles["list"]}>
        {alerts.map((alert) => (
          <Alert key={alert.id} alert={alert} at={at} onSeen={onSeen} />
        ))}
      </ul>
      {hasMore && <p className={styles["failed"]}>{t.more(format.number(alerts.length))}</p>}
    </section>
  );
}

function Alert({ alert, at, onSeen }: { alert: OpenAlert; at: Place; onSeen: () => void }) {
  const { id, rule, text, taskId, destination, raisedAt, acknowledgedAt, acknowledgedBy } = alert;
  const t = useTexts(texts);
  const { t: shared } = useLocale();
  const client = useSwitchboard();
  const { holds } = useSession();
  const { isBusy, code, run } = useAction<null>();
  async function acknowledge(): Promise<null> {
    await client.mutate(acknowledgeDocument, { id });
    onSeen();
    return null;
  }
  return (
    <li className={styles["alert"]} data-seen={acknowledgedAt !== null || undefined}>
      <p className={styles["text"]}>{text}</p>
      <p className={styles["facts"]}>
        <code>{rule}</code> · <Time value={raisedAt} />
        {taskId !== null && at === "all" && (
          <>
            {" · "}
            <Link to="/tasks" search={{ task: taskId }}>
              {t.task(taskId)}
            </Link>
          </>
        )}
        {destination !== null && at === "all" && (
          <>
            {" · "}
            <Link to="/destinations">{t.destination(destination)}</Link>
          </>
        )}
        {acknowledgedAt !== null && (
          <>
            {" · "}
            {t.seen(acknowledgedBy ?? "")} <Time value={acknowledgedAt} />
          </>
        )}
      </p>
      {acknowledgedAt === null && ACKNOWLEDGING.some(holds) && (
        <Button disabled={isBusy} onClick={() => void run(acknowledge)}>
          {t.acknowledge}
        </Button>
      )}
      <p role="status" className={styles["failed"]}>
        {code !== null && `${t.notDone} ${errorText(shared, code)}`}
      </p>
    </li>
  );
}
