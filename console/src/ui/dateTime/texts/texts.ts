import type { Language } from "../../../locale/preferences.ts";
import { en, type DateTimeTexts } from "./en.ts";
import { zh } from "./zh.ts";

export const texts: Record<Language, DateTimeTexts> = { en, zh };
