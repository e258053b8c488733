import type { Language } from "../../../../locale/preferences.ts";
import { en, type CreateTexts } from "./en.ts";
import { zh } from "./zh.ts";

export const texts: Record<Language, CreateTexts> = { en, zh };
