// Values over time with uPlot: bars that begin at zero, or a line. The hovered values stand in the caption.
import { useEffect, useRef } from "react";
import uPlot from "uplot";
import "uplot/dist/uPlot.min.css";
import { useLocale } from "../locale/Locale.tsx";
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
  onHover: (index: number | null) => void;
}

const HEIGHT = 104;
/** Room for the first and the last bar: half a minute. */
const HALF_STEP_S = 30;

export function TimeChart({ times, series, max, ticks, onHover }: TimeChartProps) {
  const holder = useRef<HTMLDivElement>(null);
  const plot = useRef<uPlot | null>(null);
  const newest = useRef({ ticks, onHover });
  newest.current = { ticks, onHover };
  const { format, preferences } = useLocale();
  const kinds = series.map(({ kind, color }) => `${kind} ${color}`).join();
  const data = [times, ...series.map(({ values }) => values)] as unknown as uPlot.AlignedData;
  const newestData = useRef(data);
  newestData.current = data;

  useEffect(() => {
    const element = holder.current;
    if (!element) return undefined;
    const axis = { stroke: colorOf(element, "--text-3"), font: `11px ${getComputedStyle(element).fontFamily}` };
    const made = new uPlot(
      {
        width: element.clientWidth,
        height: HEIGHT,
        legend: { show: false },
        padding: [8, 16, 0, 0],
        cursor: { y: false, points: { show: false }, drag: { x: false, y: false } },
        scales: {
          x: { time: true, range: (_, first, last) => [first - HALF_STEP_S, last + HALF_STEP_S] },
          y: { range: (_, __, highest) => [0, max ?? Math.max(4, highest * 1.1)] },
        },
        series: [{}, ...series.map(({ kind, color }) => seriesOf(kind, colorOf(element, color)))],
        axes: [
          {
            ...axis,
            size: 22,
            space: 72,
            grid: { show: false },
            ticks: { show: false },
            values: (_, splits) => splits.map((at) => format.timeOfDay(at * 1000).slice(0, 5)),
          },
          {
            ...axis,
            size: 40,
            splits: (_, __, ___, highest) => [0, Math.floor(highest / 2), Math.floor(highest)],
            grid: { stroke: colorOf(element, "--border"), width: 1 },
            ticks: { show: false },
            values: (_, splits) => splits.map((value) => newest.current.ticks(value)),
          },
        ],
        hooks: { setCursor: [({ cursor }) => newest.current.onHover(cursor.idx ?? null)] },
      },
      newestData.current,
      element,
    );
    plot.current = made;
    const observer = new ResizeObserver(() => made.setSize({ width: element.clientWidth, height: HEIGHT }));
    observer.observe(element);
    return () => {
      observer.disconnect();
      made.destroy();
      plot.current = null;
    };
    // A change of the theme or of the language draws the chart anew; new values do not.
  }, [kinds, max, format, preferences.theme]);
  useEffect(() => {
    plot.current?.setData(newestData.current);
  });
  return <div ref={holder} className={styles["chart"]} aria-hidden="true" />;
}

function seriesOf(kind: ChartSeries["kind"], color: string): uPlot.Series {
  const bars = uPlot.paths.bars?.({ size: [0.7, 14], radius: 0.15 });
  if (kind === "bars")
    return { fill: color, stroke: color, width: 0, points: { show: false }, ...(bars && { paths: bars }) };
  return { stroke: color, width: 1.5, points: { show: true, size: 5, fill: color, stroke: color, width: 0 } };
}
