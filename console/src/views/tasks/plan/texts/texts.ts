import type { Language } from "../../../../locale/preferences.ts";
import { en, type PlanTexts } from "./en.ts";
import { zh } from "./zh.ts";

export const texts: Record<Language, PlanTexts> = { en, zh };
