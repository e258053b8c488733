// Values over time with uPlot: bars that begin at zero, or a line. The hovered values stand in the caption.
import { useEffect, useRef } from "react";
import uPlot from "uplot";
import "uplot/dist/uPlot.min.css";
import { useLocale } from "../locale/Locale.tsx";
import { chartTicks } from "./chartTicks.ts";
import { colorOf } from "./colorOf.ts";
import styles from "./chart.module.css";

export interface ChartSeries {
  kind: "bars" | "line";
  /** A name of tokens.css, such as --fill-green. */
  color: string;
  values: readonly (number | null)[];
}

export interface TimeChartProps {
  /** Epoch seconds. */
  times: readonly number[];
  /** Drawn one over the other, the first one at the back. */
  series: readonly ChartSeries[];
  /** The end of the vertical axis; by default it follows the values. */
  max?: number;
  ticks: (value: number) => string;
  /** Writes epoch milliseconds; by default as the time of day. */
  timeTicks?: (ms: number) => string;
  /** Between two ticks of the time, in seconds, so that charts side by side have the same ones. By default as many as have room. */
  timeStep?: number;
  /** In px. */
  height?: number;
  onHover: (index: number | null) => void;
  /** A click on a time chooses it, a drag chooses several: the indices of the first and of the last one. */
  onChoose?: ((first: number, last: number) => void) | undefined;
}

const HEIGHT = 104;
export function TimeChart({
  times,
  series,
  max,
  ticks,
  timeTicks,
  timeStep,
  height = HEIGHT,
  onHover,
  onChoose,
}: TimeChartProps) {
  const holder = useRef<HTMLDivElement>(null);
  const plot = useRef<uPlot | null>(null);
  const newest = useRef({ ticks, timeTicks, onHover, onChoose });
  newest.current = { ticks, timeTicks, onHover, onChoose };
  const isChoosable = onChoose !== undefined;
  const { format, preferences } = useLocale();
  const kinds = series.map(({ kind, color }) => `${kind} ${color}`).join();
  const data = [times, ...series.map(({ values }) => values)] as unknown as uPlot.AlignedData;
  const newestData = useRef(data);
  newestData.current = data;

  useEffect(() => {
    const element = holder.current;
    if (!element) return undefined;
    const choose = (first: number | null | undefined, last: number | null | undefined) =>
      first != null && last != null && newest.current.onChoose?.(first, last);
    const axis = { stroke: colorOf(element, "--text-3"), font: `11px ${getComputedStyle(element).fontFamily}` };
    const made = new uPlot(
      {
        width: element.clientWidth,
        height,
        legend: { show: false },
        padding: [8, 16, 0, 0],
        cursor: { y: false, points: { show: false }, drag: { x: isChoosable, y: false, setScale: false } },
        scales: {
          x: { time: true, range: (_, first, last) => withHalfSteps(newestData.current[0], first, last) },
          y: { range: (_, __, highest) => [0, max ?? Math.max(4, highest * 1.1)] },
        },
        series: [{}, ...series.map(({ kind, color }) => seriesOf(kind, colorOf(element, color)))],
        axes: [
          {
            ...axis,
            size: 22,
            space: timeStep === undefined ? 72 : 0,
            ...(timeStep !== undefined && { incrs: [timeStep] }),
            grid: { show: false },
            ticks: { show: false },
            values: (_, splits) => {
              const { timeTicks: tick = (ms: number) => format.timeOfDay(ms).slice(0, 5) } = newest.current;
              return splits.map((at) => tick(at * 1000));
            },
          },
          {
            ...axis,
            size: 40,
            splits: (_, __, ___, highest) => chartTicks(highest),
            grid: { stroke: colorOf(element, "--border"), width: 1 },
            ticks: { show: false },
            values: (_, splits) => splits.map((value) => newest.current.ticks(value)),
          },
        ],
        hooks: {
          setCursor: [({ cursor }) => newest.current.onHover(cursor.idx ?? null)],
          ready: [({ over, cursor }) => over.addEventListener("click", () => choose(cursor.idx, cursor.idx))],
          setSelect: [
            (chart) => {
              const { left, width } = chart.select;
              if (width === 0) return;
              chart.setSelect({ left: 0, top: 0, width: 0, height: 0 }, false);
              choose(chart.posToIdx(left), chart.posToIdx(left + width));
            },
          ],
        },
      },
      newestData.current,
      element,
    );
    plot.current = made;
    const observer = new ResizeObserver(() => made.setSize({ width: element.clientWidth, height }));
    observer.observe(element);
    return () => {
      observer.disconnect();
      made.destroy();
      plot.current = null;
    };
    // A change of the theme or of the language draws the chart anew; new values do not.
  }, [kinds, max, height, format, preferences.theme, isChoosable, timeStep]);
  useEffect(() => {
    plot.current?.setData(newestData.current);
  });
  return (
    <div
      ref={holder}
      className={styles["chart"]}
      data-choosable={isChoosable || undefined}
      style={{ height }}
      aria-hidden="true"
    />
  );
}

/** Room for the first and the last bar. */
function withHalfSteps(times: ArrayLike<number>, first: number, last: number): [number, number] {
  const half = times.length > 1 ? ((times[1] as number) - (times[0] as number)) / 2 : 30;
  return [first - half, last + half];
}

function seriesOf(kind: ChartSeries["kind"], color: string): uPlot.Series {
  const bars = uPlot.paths.bars?.({ size: [0.7, 14], radius: 0.15 });
  if (kind === "bars")
    return { fill: color, stroke: color, width: 0, points: { show: false }, ...(bars && { paths: bars }) };
  return { stroke: color, width: 1.5, points: { show: true, size: 5, fill: color, stroke: color, width: 0 } };
}
