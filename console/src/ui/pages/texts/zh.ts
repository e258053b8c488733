import type { en } from "./en.ts";

export const zh: typeof en = {
  older: "更早",
  newest: "最新",
};
