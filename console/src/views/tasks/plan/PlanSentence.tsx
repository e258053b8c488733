// When a task calls, in one or two sentences, and how many people of which country.
import type { ScheduleFragment } from "../../../gql/graphql.ts";
import { useLocale, useTexts } from "../../../locale/Locale.tsx";
import { useNow } from "../../../locale/useNow.ts";
import { countryText } from "./countryNames.ts";
import { beginWords, joined, whenWords } from "./planWords.ts";
import { texts } from "./texts/texts.ts";

export interface PlanProps {
  schedule: ScheduleFragment;
  /** As the input has them, for what the gateway does not read. */
  written: { startDate: string; periods: readonly (readonly string[])[] };
  /** Whether it was sent or decided: then it does not start any more. */
  isPast?: boolean;
}

const REFRESH_MS = 30_000;

export function PlanSentence({ schedule, written, isPast = false }: PlanProps) {
  const { language } = useLocale();
  const t = useTexts(texts);
  const now = useNow(REFRESH_MS);
  const place = { language, zone: Intl.DateTimeFormat().resolvedOptions().timeZone, now };
  const when =
    whenWords(schedule, t, place) ??
    t.asWritten(written.startDate, written.periods.map((times) => times.join("–")).join(", "));
  return <>{isPast ? when : joined([when, beginWords(schedule, t, place)], language)}</>;
}

export function CountryCounts(props: { countries: readonly { countryCode: string | null; people: number }[] }) {
  const { language, format } = useLocale();
  const t = useTexts(texts);
  const locale = language === "zh" ? "zh-CN" : "en-GB";
  const nameOf = (code: string | null) => (code === null ? t.noCountry : countryText(code, locale, t.otherCountries));
  return (
    <ul>
      {props.countries.map(({ countryCode, people }) => (
        <li key={countryCode ?? ""}>{t.countryPeople(nameOf(countryCode), format.number(people))}</li>
      ))}
    </ul>
  );
}
