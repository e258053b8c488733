// What a user chose for this browser. Nothing secret: it stays in localStorage.
export const languages = ["en", "zh"] as const;
export type Language = (typeof languages)[number];
export const themes = ["system", "light", "dark"] as const;
export type Theme = (typeof themes)[number];
export const densities = ["compact", "roomy"] as const;
export type Density = (typeof densities)[number];

export interface Preferences {
  language: Language;
  theme: Theme;
  /** Whether keys of one character do something. */
  shortcuts: boolean;
  /** How high the rows of tables are. */
  density: Density;
}

const NAME = "switchboard-console";

export function readPreferences(): Preferences {
  const kept = (readKept(NAME) ?? {}) as Partial<Preferences>;
  const language = languages.find((each) => each === kept.language);
  return {
    language: language ?? (/^zh\b/i.test(navigator.language) ? "zh" : "en"),
    theme: themes.find((each) => each === kept.theme) ?? "system",
    shortcuts: kept.shortcuts !== false,
    density: densities.find((each) => each === kept.density) ?? "compact",
  };
}

export function keepPreferences(preferences: Preferences): void {
  keep(NAME, preferences);
}

/** Null where nothing is kept, or storage is refused. */
export function readKept(name: string): unknown {
  try {
    return JSON.parse(localStorage.getItem(name) ?? "null");
  } catch {
    return null;
  }
}

export function keep(name: string, value: unknown): void {
  try {
    localStorage.setItem(name, JSON.stringify(value));
  } catch {
    // A browser that keeps nothing shows the default next time.
  }
}
