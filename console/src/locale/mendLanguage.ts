// Some systems name a language that is none, such as `C`, `en-US@posix` or `zh_CN.UTF-8`. Intl refuses it with a RangeError, and libraries hand it to
// Intl while their code is loaded (https://github.com/leeoniya/uPlot/issues/1053). This module is loaded before them.

/** What is left of it that Intl takes. */
function usableLanguage(named: string): string {
  const tag = named.split(/[@.,;\s]/)[0]?.replaceAll("_", "-") ?? "";
  try {
    return Intl.getCanonicalLocales(tag)[0] ?? "en-US";
  } catch {
    return "en-US";
  }
}

const value = usableLanguage(navigator.language);
if (value !== navigator.language) Object.defineProperty(navigator, "language", { value, configurable: true });
