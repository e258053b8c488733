import type { Widened } from "../../../texts/widened.ts";
import type { en } from "./en.ts";

export const zh: Widened<typeof en> = {
  columns: "列",
  density: "行高",
  compact: "紧凑",
  roomy: "宽松",
};
