// When calls ended, by weekday and hour of the viewer's clock: a table whose cells have the colour of their value.
import { useMemo, useState } from "react";
import { useLocale, useTexts } from "../../../locale/Locale.tsx";
import { Section } from "../../../ui/drawer/Facts.tsx";
import { Segments } from "../../../ui/Segments.tsx";
import { texts } from "../texts/texts.ts";
import { heatCells, type HeatCell } from "./heatCells.ts";
import styles from "./details.module.css";

type Shown = "calls" | "rate";

/** 2024-01-01 was a Monday. */
const MONDAY = Date.UTC(2024, 0, 1);
const DAY_MS = 86_400_000;
const LABELLED = new Set([0, 6, 12, 18]);

export function HeatMap({ timeline }: { timeline: Parameters<typeof heatCells>[0] | null }) {
  const { t: all, format, language } = useLocale();
  const t = useTexts(texts);
  const [shown, setShown] = useState<Shown>("calls");
  const [hovered, setHovered] = useState<string | null>(null);
  const { timeZone } = Intl.DateTimeFormat().resolvedOptions();
  const heat = useMemo(() => (timeline ? heatCells(timeline, timeZone) : null), [timeline, timeZone]);
  const days = useMemo(() => weekdays(language), [language]);
  if (heat === null) return <Section title={t.details.heat}>{all.format.unknown}</Section>;

  const highest = Math.max(1, ...heat.flat().map(({ calls }) => calls));
  const shareOf = ({ calls, answered }: HeatCell) => (shown === "calls" ? calls / highest : answered / calls);
  const describe = (cell: HeatCell) =>
    `${t.details.cell(format.number(cell.calls), format.number(cell.answered))}, ${t.details.rate(format.percent(cell.answered / cell.calls))}`;
  return (
    <Section title={t.details.heat} hint={t.details.heatHint(timeZone)}>
      <div className={styles["heatHead"]}>
        <span aria-hidden="true">{hovered}</span>
        <Segments<Shown>
          label={t.details.heatBy}
          value={shown}
          options={[
            { value: "calls", label: t.details.byCalls },
            { value: "rate", label: t.details.byRate },
          ]}
          onChange={setShown}
        />
      </div>
      <table className={styles["heat"]} onPointerLeave={() => setHovered(null)}>
        <thead>
          <tr>
            <td />
            {Array.from({ length: 24 }, (_, hour) => (
              <th key={hour} scope="col">
                <span aria-hidden="true">{LABELLED.has(hour) && String(hour).padStart(2, "0")}</span>
                <span className="hidden">{`${hour}:00`}</span>
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {heat.map((cells, day) => (
            <tr key={days[day]}>
              <th scope="row">{days[day]}</th>
              {cells.map((cell, hour) => {
                if (cell.calls === 0) return <td key={hour} onPointerEnter={() => setHovered(null)} />;
                const text = describe(cell);
                return (
                  <td
                    key={hour}
                    style={{ backgroundColor: colorOf(shareOf(cell), shown) }}
                    onPointerEnter={() => setHovered(`${days[day]} ${hour}:00 · ${text}`)}
                  >
                    <span className="hidden">{text}</span>
                  </td>
                );
              })}
            </tr>
          ))}
        </tbody>
      </table>
    </Section>
  );
}

/** A cell with calls is always told from one without. */
function colorOf(share: number, shown: Shown): string {
  const fill = shown === "calls" ? "--fill-accent" : "--fill-green";
  return `color-mix(in srgb, var(${fill}) ${Math.round(15 + 85 * share)}%, transparent)`;
}

function weekdays(language: string): readonly string[] {
  const format = new Intl.DateTimeFormat(language === "zh" ? "zh-CN" : "en-GB", { weekday: "short", timeZone: "UTC" });
  return Array.from({ length: 7 }, (_, day) => format.format(MONDAY + day * DAY_MS));
}
