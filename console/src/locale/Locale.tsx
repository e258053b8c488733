// The language, the theme and the texts, for every component.
import { createContext, useCallback, useContext, useEffect, useMemo, useState, type ReactNode } from "react";
import { en, type Texts } from "../texts/en.ts";
import { createFormat, type Format } from "./format.ts";
import { keepPreferences, readPreferences, type Language, type Preferences } from "./preferences.ts";

export interface Locale {
  t: Texts;
  /** The language of the texts that are shown. */
  language: Language;
  format: Format;
  preferences: Preferences;
  choose(changed: Partial<Preferences>): void;
}

const LocaleContext = createContext<Locale | null>(null);

/** Chinese is loaded where it is wanted. */
export async function loadTexts(language: Language): Promise<Texts> {
  return language === "zh" ? (await import("../texts/zh.ts")).zh : en;
}

/** `texts`: those of the language in readPreferences(). */
export function LocaleProvider({ texts, children }: { texts: Texts; children: ReactNode }) {
  const [preferences, setPreferences] = useState(readPreferences);
  const [shown, setShown] = useState({ texts, language: preferences.language });
  const { theme } = preferences;

  const choose = useCallback((changed: Partial<Preferences>) => {
    const next = { ...readPreferences(), ...changed };
    keepPreferences(next);
    setPreferences(next);
    if (changed.language)
      void loadTexts(changed.language).then((texts) => setShown({ texts, language: next.language }));
  }, []);
  useEffect(() => {
    document.documentElement.lang = shown.language === "zh" ? "zh-CN" : "en";
  }, [shown.language]);
  useEffect(() => {
    if (theme === "system") delete document.documentElement.dataset["theme"];
    else document.documentElement.dataset["theme"] = theme;
  }, [theme]);

  const value = useMemo<Locale>(() => {
    const { texts: t, language } = shown;
    return { t, language, format: createFormat(language, t.format), preferences, choose };
  }, [shown, preferences, choose]);
  return <LocaleContext value={value}>{children}</LocaleContext>;
}

export function useLocale(): Locale {
  const locale = useContext(LocaleContext);
  if (!locale) throw new Error("useLocale needs a LocaleProvider.");
  return locale;
}

/** The texts of a part that is loaded when it is needed, with both of its catalogues. */
export function useTexts<T>(catalogues: Record<Language, T>): T {
  return catalogues[useLocale().language];
}
