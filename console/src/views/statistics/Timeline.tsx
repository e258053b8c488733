// Calls over time, answered ones in front. The same numbers stand in a table for screen readers.
import { memo, useMemo, useState } from "react";
import { useLocale, useTexts } from "../../locale/Locale.tsx";
import { Legend } from "../../ui/Legend.tsx";
import { TimeChart } from "../../ui/TimeChart.tsx";
import { endOf, type Bucket, type BucketSize } from "./buckets.ts";
import { en } from "./texts/en.ts";
import { zh } from "./texts/zh.ts";
import styles from "./statistics.module.css";

const HEIGHT = 208;

export const Timeline = memo(function Timeline(props: {
  size: BucketSize;
  buckets: readonly Bucket[];
  /** Chooses the time between two instants, in epoch milliseconds. */
  onChoose: (since: number, until: number) => void;
}) {
  const { size, buckets, onChoose } = props;
  const t = useTexts({ en, zh });
  const { format } = useLocale();
  const [hovered, setHovered] = useState<number | null>(null);
  const times = useMemo(() => buckets.map(({ at }) => at / 1000), [buckets]);
  const nameOf = (at: number): string => (size === "DAY" ? format.day(at) : format.minute(new Date(at).toISOString()));
  const tick = (at: number): string =>
    size === "DAY" || new Date(at).getHours() + new Date(at).getMinutes() === 0
      ? format.day(at)
      : format.timeOfDay(at).slice(0, 5);
  const shown = hovered === null ? undefined : buckets[hovered];
  function choose(first: number, last: number): void {
    const [from, to] = [buckets[first], buckets[last]];
    if (from && to) onChoose(from.at, endOf(size, to));
  }
  return (
    <figure className={styles["timeline"]}>
      <figcaption>
        <h2>{t[size]}</h2>
        {shown && <span className={styles["at"]}>{nameOf(shown.at)}</span>}
        <Legend
          entries={[
            ["green", shown ? `${format.number(shown.answered)} ${t.answered}` : t.answered],
            ["amber", shown ? `${format.number(shown.calls - shown.answered)} ${t.notAnswered}` : t.notAnswered],
          ]}
        />
      </figcaption>
      <TimeChart
        times={times}
        height={HEIGHT}
        series={[
          { kind: "bars", color: "--fill-amber", values: buckets.map(({ calls }) => calls) },
          { kind: "bars", color: "--fill-green", values: buckets.map(({ answered }) => answered) },
        ]}
        timeTicks={tick}
        ticks={format.number}
        onHover={setHovered}
        // A minute is not divided further.
        onChoose={size === "MINUTE" && buckets.length < 2 ? undefined : choose}
      />
      <div className="hidden">
        <table>
          <caption>
            {t[size]} ({format.zone})
          </caption>
          <thead>
            <tr>
              {[t.time, t.calls, t.answered].map((title) => (
                <th key={title} scope="col">
                  {title}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {buckets
              .filter(({ calls }) => calls > 0)
              .map(({ at, calls, answered }) => (
                <tr key={at}>
                  <th scope="row">{nameOf(at)}</th>
                  <td>{format.number(calls)}</td>
                  <td>{format.number(answered)}</td>
                </tr>
              ))}
          </tbody>
        </table>
      </div>
    </figure>
  );
});
