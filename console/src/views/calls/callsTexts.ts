import { useTexts } from "../../locale/Locale.tsx";
import { en } from "./texts/en.ts";
import { zh } from "./texts/zh.ts";

/** Loaded with the view. */
export const useCallsTexts = () => useTexts({ en, zh });
