import { en } from "./en.ts";
import { zh } from "./zh.ts";

/** For useTexts. */
export const texts = { en, zh };
