import { useLocale } from "../locale/Locale.tsx";
import { Segments } from "../ui/Segments.tsx";

const OPTIONS = [
  { value: "en", label: "English", lang: "en" },
  { value: "zh", label: "中文", lang: "zh-CN" },
] as const;

export function LanguageChoice() {
  const { t, preferences, choose } = useLocale();
  return (
    <Segments
      label={t.frame.language}
      value={preferences.language}
      options={OPTIONS}
      onChange={(language) => choose({ language })}
    />
  );
}
