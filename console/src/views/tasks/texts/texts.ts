import type { Language } from "../../../locale/preferences.ts";
import { en, type TasksTexts } from "./en.ts";
import { zh } from "./zh.ts";

export const texts: Record<Language, TasksTexts> = { en, zh };
