// What the gateway says of itself, again every few seconds.
import { useEffect } from "react";
import { useEvery } from "../../data/useEvery.ts";
import { useQuery } from "../../data/useQuery.ts";
import { useLocale, useTexts } from "../../locale/Locale.tsx";
import { useNow } from "../../locale/useNow.ts";
import { useOld } from "../../state/StateProvider.tsx";
import { ErrorBar } from "../../ui/ErrorBar.tsx";
import { Skeleton } from "../../ui/Skeleton.tsx";
import { useSession } from "../../session/SessionProvider.tsx";
import { gatewayStatusDocument, newestCallDocument } from "./documents.ts";
import { Fact } from "./Fact.tsx";
import { en } from "./texts/en.ts";
import { zh } from "./texts/zh.ts";
import styles from "./health.module.css";

const NO_VARIABLES = {};
const EVERY_MS = 5000;
/** Shares of the log that came without a webhook, from which on that needs a look, or is a fault. */
const MANY = 0.05;
const MOST = 0.25;

export function GatewayFacts() {
  const t = useTexts({ en, zh });
  const { t: shared, format } = useLocale();
  const { data, error, failedSince, retryAt, answeredAt, refetch } = useQuery(gatewayStatusDocument, NO_VARIABLES);
  useEvery(EVERY_MS, refetch);
  const isOld = useOld(error);
  const now = useNow(1000);
  const gateway = data?.gateway;
  const bar = error && (
    <ErrorBar
      code={error.code}
      what={t.statusFailed}
      since={failedSince}
      retryAt={retryAt}
      asOf={answeredAt}
      onRetry={refetch}
    />
  );
  if (!gateway) return bar ?? <Skeleton rows={4} />;
  const { events, eventNames, recordings, subscribers, version } = gateway;
  const namesOf = (isEnd: boolean) =>
    eventNames.flatMap((each) => (each.isEnd === isEnd ? (each.name ?? t.noName) : [])).join(", ");
  const others = namesOf(false);
  const share = events.reconciled / Math.max(1, events.events);
  const describe = share >= MANY ? t.reconciledMany : t.reconciledShare;
  const { archived, pending, lost } = recordings;
  return (
    <section aria-label={t.state}>
      {bar}
      <dl className={styles["facts"]} data-old={isOld}>
        <Fact name={t.log} value={t.entries(format.number(events.events))}>
          {events.lastReceivedAt ? (
            <time dateTime={events.lastReceivedAt} title={format.exact(events.lastReceivedAt)}>
              {t.newest(format.ago(events.lastReceivedAt, now))}
            </time>
          ) : (
            t.logEmpty
          )}
        </Fact>
        <Delay newest={events.newestCursor} />
        <Fact
          name={t.reconciled}
          value={format.number(events.reconciled)}
          state={share >= MOST ? "bad" : share >= MANY ? "warning" : undefined}
        >
          {events.reconciled === 0 ? t.noneReconciled : describe(format.percent(share))}
        </Fact>
        <Fact name={t.eventNames} value={namesOf(true) || shared.format.none}>
          {others === "" ? t.noOtherEvents : t.otherEvents(others)}
        </Fact>
        <Fact name={t.recordings} state={lost > 0 ? "warning" : undefined} value={t.archived(format.number(archived))}>
          {t.pending(format.number(pending))} · {t.lost(format.number(lost))}
        </Fact>
        <Fact name={t.subscribers} value={format.number(subscribers)}>
          {t.subscribersHint}
        </Fact>
      </dl>
      <p className={styles["foot"]}>
        <span>{t.version(version)}</span>
        <span>
          {t.logHead}: <span className="number">{events.newestCursor}</span>
        </span>
      </p>
    </section>
  );
}

/** How long after its end the newest call was known. `newest`: changes when the log grows. */
function Delay({ newest }: { newest: string }) {
  const t = useTexts({ en, zh });
  const { t: shared, format } = useLocale();
  const { holds } = useSession();
  const maySee = holds("calls:read");
  const { data, refetch } = useQuery(newestCallDocument, maySee ? NO_VARIABLES : null);
  useEffect(refetch, [newest, refetch]);
  const call = data?.callEndedEvents?.nodes[0];
  const ms = call?.endAt ? Date.parse(call.receivedAt) - Date.parse(call.endAt) : null;
  return (
    <Fact name={t.delay} value={ms === null ? shared.format.none : format.duration(ms)}>
      {maySee ? t.delayHint : t.needsCalls}
    </Fact>
  );
}
