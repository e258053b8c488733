// The time range of a view: a name or two instants, chosen in the viewer's zone, with the service's zone beside it.
import { Popover } from "@base-ui/react/popover";
import { Calendar, Check, ChevronDown } from "lucide-react";
import { useState } from "react";
import { useLocale, useTexts } from "../../locale/Locale.tsx";
import { useSession } from "../../session/SessionProvider.tsx";
import { CustomRange } from "./CustomRange.tsx";
import { en } from "./texts/en.ts";
import { zh } from "./texts/zh.ts";
import { rangeNames, spanOf, type RangeName, type RangeSearch, type TimeSpan } from "./timeRange.ts";
import styles from "./timeRange.module.css";

/** Where the custom range begins if all times are shown. */
const CUSTOM_START = "30d";

/** `fallback`: the range that is shown where the address holds none; null: all times. */
export function TimeRangePicker(props: {
  search: RangeSearch;
  fallback: RangeName | null;
  onChange: (search: RangeSearch) => void;
}) {
  const { search, fallback, onChange } = props;
  const t = useTexts({ en, zh });
  const { format } = useLocale();
  const [isOpen, setOpen] = useState(false);
  const span = spanOf(search, fallback ?? CUSTOM_START, Date.now());
  const isCustom = search.since !== undefined;
  const isAll = fallback === null && !isCustom && search.range === undefined;
  const chosen = isCustom ? null : (search.range ?? fallback);
  const shown = isAll
    ? t.all
    : chosen
      ? t[chosen]
      : `${format.minute(span.since)} – ${span.until ? format.minute(span.until) : t.now}`;

  function choose(next: RangeSearch): void {
    onChange(next);
    setOpen(false);
  }
  return (
    <Popover.Root open={isOpen} onOpenChange={setOpen}>
      <Popover.Trigger className={styles["trigger"]}>
        <Calendar size={14} aria-hidden="true" />
        <span className="hidden">{t.title}: </span>
        <span className={styles["shown"]}>{shown} </span>
        <span className={styles["zone"]}>{format.zone}</span>
        <ChevronDown size={14} aria-hidden="true" />
      </Popover.Trigger>
      <Popover.Portal>
        <Popover.Positioner align="end" sideOffset={4} collisionPadding={8} className={styles["above"]}>
          <Popover.Popup className={styles["popup"]} aria-label={t.title}>
            <div className={styles["choices"]}>
              <ul className={styles["names"]}>
                {fallback === null && (
                  <li>
                    <button type="button" aria-pressed={isAll} onClick={() => choose({})}>
                      {t.all}
                      {isAll && <Check size={14} aria-hidden="true" />}
                    </button>
                  </li>
                )}
                {rangeNames.map((name) => (
                  <li key={name}>
                    <button type="button" aria-pressed={name === chosen} onClick={() => choose({ range: name })}>
                      {t[name]}
                      {name === chosen && <Check size={14} aria-hidden="true" />}
                    </button>
                  </li>
                ))}
              </ul>
              <CustomRange t={t} span={span} isCustom={isCustom} onApply={choose} />
            </div>
            {!isAll && <Zones t={t} span={span} />}
          </Popover.Popup>
        </Popover.Positioner>
      </Popover.Portal>
    </Popover.Root>
  );
}

/** The instants in the viewer's zone and in the service's. */
function Zones({ t, span }: { t: typeof en; span: TimeSpan }) {
  const { format } = useLocale();
  const { serviceTimeZone } = useSession();
  const { timeZone } = Intl.DateTimeFormat().resolvedOptions();
  const rows =
    timeZone === serviceTimeZone
      ? [[timeZone, t.both]]
      : [
          [timeZone, t.yours],
          [serviceTimeZone, t.service],
        ];
  return (
    <dl className={styles["zones"]}>
      {rows.map(([zone = "", whose]) => (
        <div key={zone}>
          <dt>
            {zone} <span>({whose})</span>
          </dt>
          <dd>
            {format.minute(span.since, zone)} – {span.until ? format.minute(span.until, zone) : t.now}
          </dd>
        </div>
      ))}
    </dl>
  );
}
