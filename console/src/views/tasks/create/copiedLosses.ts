import type { CopyLoss } from "./draft.ts";
import type { CreateTexts } from "./texts/en.ts";

/** A sentence of what a copy does not have. */
export function lossText(loss: CopyLoss, { copyLosses: t }: CreateTexts): string {
  if (loss.of === "periods") return t.periods(loss.text);
  return loss.of === "seconds" ? t.seconds(String(loss.seconds)) : t[loss.of];
}
