import type { Language } from "../../../../locale/preferences.ts";
import { en, type ProposalTexts } from "./en.ts";
import { zh } from "./zh.ts";

export const texts: Record<Language, ProposalTexts> = { en, zh };
