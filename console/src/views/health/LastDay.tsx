// How webhooks came in the last day: calls by hour, and how late they were known. The log counts; no Prometheus is needed.
import { memo, useMemo, useState } from "react";
import { useEvery } from "../../data/useEvery.ts";
import { useQuery } from "../../data/useQuery.ts";
import type { ConsoleGatewayDayQuery } from "../../gql/graphql.ts";
import { useLocale, useTexts } from "../../locale/Locale.tsx";
import { useOld } from "../../state/StateProvider.tsx";
import { ErrorBar } from "../../ui/ErrorBar.tsx";
import { Legend } from "../../ui/Legend.tsx";
import { TimeChart } from "../../ui/TimeChart.tsx";
import { gatewayDayDocument } from "./documents.ts";
import { en } from "./texts/en.ts";
import { zh } from "./texts/zh.ts";
import styles from "./lastDay.module.css";

type Hour = NonNullable<ConsoleGatewayDayQuery["gateway"]>["lastDay"][number];

const NO_VARIABLES = {};
const EVERY_MS = 60_000;

export function LastDay() {
  const t = useTexts({ en, zh });
  const { data, error, failedSince, retryAt, answeredAt, refetch } = useQuery(gatewayDayDocument, NO_VARIABLES);
  useEvery(EVERY_MS, refetch);
  const isOld = useOld(error);
  const hours = data?.gateway?.lastDay;
  const bar = error && (
    <ErrorBar
      code={error.code}
      what={t.dayFailed}
      since={failedSince}
      retryAt={retryAt}
      asOf={answeredAt}
      onRetry={refetch}
    />
  );
  return (
    <>
      {bar}
      {hours && (
        <section className={styles["charts"]} aria-label={t.lastDay} data-old={isOld}>
          <Arrivals hours={hours} />
          <Delays hours={hours} />
          <HourTable hours={hours} />
        </section>
      )}
    </>
  );
}

const timesOf = (hours: readonly Hour[]): readonly number[] => hours.map(({ start }) => Date.parse(start) / 1000);

const Arrivals = memo(function Arrivals({ hours }: { hours: readonly Hour[] }) {
  const t = useTexts({ en, zh });
  const { format } = useLocale();
  const [hovered, setHovered] = useState<number | null>(null);
  const times = useMemo(() => timesOf(hours), [hours]);
  const shown = hovered === null ? undefined : hours[hovered];
  const all = shown ? [shown] : hours;
  const sum = (of: (hour: Hour) => number) => format.number(all.reduce((total, hour) => total + of(hour), 0));
  return (
    <figure className={styles["panel"]}>
      <figcaption>
        <h2>{t.callsPerHour}</h2>
        <span className={styles["at"]}>{shown ? format.timeOfDay(shown.start).slice(0, 5) : t.lastDay}</span>
        <Legend
          entries={[
            ["green", t.byWebhook(sum(({ webhooks }) => webhooks))],
            ["amber", t.withoutWebhook(sum(({ reconciled }) => reconciled))],
            ["red", t.unreadable(sum(({ unreadable }) => unreadable))],
          ]}
        />
      </figcaption>
      <TimeChart
        times={times}
        series={[
          {
            kind: "bars",
            color: "--red",
            values: hours.map(({ webhooks, reconciled, unreadable }) => webhooks + reconciled + unreadable),
          },
          {
            kind: "bars",
            color: "--fill-amber",
            values: hours.map(({ webhooks, reconciled }) => webhooks + reconciled),
          },
          { kind: "bars", color: "--fill-green", values: hours.map(({ webhooks }) => webhooks) },
        ]}
        ticks={format.number}
        onHover={setHovered}
      />
    </figure>
  );
});

const Delays = memo(function Delays({ hours }: { hours: readonly Hour[] }) {
  const t = useTexts({ en, zh });
  const { t: shared, format } = useLocale();
  const [hovered, setHovered] = useState<number | null>(null);
  const times = useMemo(() => timesOf(hours), [hours]);
  const shown = hovered === null ? undefined : hours[hovered];
  const delay =
    (shown ?? hours.findLast(({ meanDelaySeconds }) => meanDelaySeconds !== null))?.meanDelaySeconds ?? null;
  return (
    <figure className={styles["panel"]}>
      <figcaption>
        <h2>{t.meanDelay}</h2>
        <span className={styles["at"]}>{shown ? format.timeOfDay(shown.start).slice(0, 5) : t.lastDay}</span>
        <strong>{delay === null ? shared.format.none : format.duration(delay * 1000)}</strong>
      </figcaption>
      <TimeChart
        times={times}
        series={[
          {
            kind: "line",
            color: "--fill-accent",
            values: hours.map(({ meanDelaySeconds }) => meanDelaySeconds),
          },
        ]}
        ticks={(seconds) => `${format.number(seconds)} ${shared.format.seconds}`}
        onHover={setHovered}
      />
    </figure>
  );
});

/** For screen readers: what the two charts show. */
const HourTable = memo(function HourTable({ hours }: { hours: readonly Hour[] }) {
  const t = useTexts({ en, zh });
  const { t: shared, format } = useLocale();
  const shown = hours.filter(({ webhooks, reconciled, unreadable }) => webhooks + reconciled + unreadable > 0);
  return (
    <div className="hidden">
      <table>
        <caption>
          {t.lastDay} ({format.zone})
        </caption>
        <thead>
          <tr>
            {[t.hour, t.webhooks, t.reconciled, t.quarantineKinds.UNREADABLE, t.meanDelay].map((title) => (
              <th key={title} scope="col">
                {title}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {shown.map(({ start, webhooks, reconciled, unreadable, meanDelaySeconds }) => (
            <tr key={start}>
              <th scope="row">{format.timeOfDay(start).slice(0, 5)}</th>
              <td>{format.number(webhooks)}</td>
              <td>{format.number(reconciled)}</td>
              <td>{format.number(unreadable)}</td>
              <td>{meanDelaySeconds === null ? shared.format.none : format.duration(meanDelaySeconds * 1000)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
});
