// The last hour of the calls that the filter lets through, minute by minute. The log counts; the page asks again as calls come.
import { memo, useMemo, useState } from "react";
import { useLocale } from "../../locale/Locale.tsx";
import { useOld } from "../../state/StateProvider.tsx";
import { ErrorBar } from "../../ui/ErrorBar.tsx";
import { Legend } from "../../ui/Legend.tsx";
import { TimeChart, type TimeChartProps } from "../../ui/TimeChart.tsx";
import type { CallEndedFilter } from "./liveFilter.ts";
import { LEAST_CALLS, rateBinsOf } from "./rateBins.ts";
import { ReasonBars } from "./ReasonBars.tsx";
import { useLiveStats, type Minute } from "./useLiveStats.ts";
import styles from "./live.module.css";

/** `newest`: changes when a call ended. */
export function LiveCharts(props: {
  filter: CallEndedFilter;
  newest: string;
  onChooseReason: (reason: string | null) => void;
  /** Chooses the time between two instants, in epoch milliseconds. */
  onChooseTime: ((since: number, until: number) => void) | undefined;
}) {
  const { filter, newest, onChooseReason, onChooseTime } = props;
  const { t, format } = useLocale();
  const { minutes, reasons, answer, countedAt } = useLiveStats(filter, newest);
  const isOld = useOld(answer.error);
  const label = isOld ? t.errors.asOf(format.timeOfDay(countedAt)) : t.live.charts;
  if (!minutes) {
    if (!answer.error) return null;
    const { error, failedSince, retryAt, refetch } = answer;
    return (
      <ErrorBar code={error.code} what={t.live.chartsFailed} since={failedSince} retryAt={retryAt} onRetry={refetch} />
    );
  }
  const onChoose =
    onChooseTime &&
    ((first: number, last: number) => {
      const [from, to] = [minutes[first], minutes[last]];
      if (from && to) onChooseTime(from.at, to.at + MINUTE_MS);
    });
  return (
    <>
      <PerMinute minutes={minutes} label={label} onChoose={onChoose} />
      <AnswerRate minutes={minutes} label={label} onChoose={onChoose} />
      <ReasonBars reasons={reasons} onChoose={onChooseReason} />
      <MinuteTable minutes={minutes} />
    </>
  );
}

/** `label`: the time that is counted. */
interface ChartProps {
  minutes: readonly Minute[];
  label: string;
  onChoose: TimeChartProps["onChoose"];
}

const MINUTE_MS = 60_000;
const TIME_STEP_S = 1200;

const PerMinute = memo(function PerMinute({ minutes, label, onChoose }: ChartProps) {
  const { t, format } = useLocale();
  const [hovered, setHovered] = useState<number | null>(null);
  const times = useMemo(() => minutes.map(({ at }) => at / 1000), [minutes]);
  const sum = (of: (minute: Minute) => number) => minutes.reduce((total, minute) => total + of(minute), 0);
  const shown = hovered === null ? null : minutes[hovered];
  const answered = shown?.answered ?? sum((minute) => minute.answered);
  const calls = shown?.calls ?? sum((minute) => minute.calls);
  return (
    <figure className={styles["panel"]}>
      <figcaption>
        <h2>{t.live.perMinute}</h2>
        <span className={styles["at"]}>{shown ? format.timeOfDay(shown.at).slice(0, 5) : label}</span>
        <Legend
          entries={[
            ["green", `${format.number(answered)} ${t.live.answered}`],
            ["amber", `${format.number(calls - answered)} ${t.live.notAnswered}`],
          ]}
        />
      </figcaption>
      <TimeChart
        times={times}
        timeStep={TIME_STEP_S}
        series={[
          { kind: "bars", color: "--fill-amber", values: minutes.map(({ calls }) => calls) },
          { kind: "bars", color: "--fill-green", values: minutes.map(({ answered }) => answered) },
        ]}
        ticks={format.number}
        onHover={setHovered}
        onChoose={onChoose}
      />
    </figure>
  );
});

const AnswerRate = memo(function AnswerRate({ minutes, label, onChoose }: ChartProps) {
  const { t, format } = useLocale();
  const [hovered, setHovered] = useState<number | null>(null);
  const times = useMemo(() => minutes.map(({ at }) => at / 1000), [minutes]);
  const bins = useMemo(() => rateBinsOf(minutes), [minutes]);
  const shown = hovered === null ? undefined : bins[hovered];
  const calls = minutes.reduce((total, minute) => total + minute.calls, 0);
  const answered = minutes.reduce((total, minute) => total + minute.answered, 0);
  const timeOf = (at: number) => format.timeOfDay(at).slice(0, 5);
  const rate = shown ? shown.rate : calls < LEAST_CALLS ? null : answered / calls;
  const noRate = (shown?.calls ?? calls) > 0 ? t.live.tooFew : t.format.none;
  return (
    <figure className={styles["panel"]}>
      <figcaption>
        <h2>{t.live.rate}</h2>
        <span className={styles["at"]}>{shown ? `${timeOf(shown.from)}–${timeOf(shown.to)}` : label}</span>
        <strong>{rate === null ? noRate : format.percent(rate)}</strong>
      </figcaption>
      <TimeChart
        times={times}
        timeStep={TIME_STEP_S}
        series={[
          {
            kind: "line",
            color: "--fill-accent",
            values: bins.map(({ rate }) => rate && 100 * rate),
          },
        ]}
        max={100}
        ticks={(value) => format.percent(value / 100)}
        onHover={setHovered}
        onChoose={onChoose}
      />
    </figure>
  );
});

/** For screen readers: what the two charts show. */
const MinuteTable = memo(function MinuteTable({ minutes }: { minutes: readonly Minute[] }) {
  const { t, format } = useLocale();
  const bins = rateBinsOf(minutes);
  return (
    <div className="hidden">
      <table>
        <caption>
          {t.live.perMinute} ({format.zone})
        </caption>
        <thead>
          <tr>
            {[t.live.minute, t.live.calls, t.live.answered, t.live.rate].map((title) => (
              <th key={title} scope="col">
                {title}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {minutes.map(({ at, calls, answered }, index) => {
            const rate = bins[index]?.rate ?? null;
            if (calls === 0) return null;
            return (
              <tr key={at}>
                <th scope="row">{format.timeOfDay(at).slice(0, 5)}</th>
                <td>{format.number(calls)}</td>
                <td>{format.number(answered)}</td>
                <td>{rate === null ? t.live.tooFew : format.percent(rate)}</td>
              </tr>
            );
          })}
        </tbody>
      </table>
    </div>
  );
});
