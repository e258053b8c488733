// The rules of plain English that a program can check.
import type { Text } from "./texts.ts";

const MAX_WORDS = 35;
const BANNED_OPENER = /^(who|whoever|whom|whomever|nor)\b|^what\b[^?]*\b(is|are) told\b/i;
const JOINED_TITLE = /^(and|but|nor|or)\b/i;

/** What is wrong with a text: one line for each fault. */
export function faultsOf({ kind, text }: Text): string[] {
  if (kind === "title") return JOINED_TITLE.test(text) ? [`the title continues another one: "${text}"`] : [];
  const subject = kind === "comment" && /^of\b/i.test(text) ? [`the comment leans on a name: "${text}"`] : [];
  const others = sentencesOf(text).flatMap((sentence) => {
    const words = sentence.split(/\s+/).length;
    const faults = words > MAX_WORDS ? [`${words} words in a sentence, at most ${MAX_WORDS}: "${sentence}"`] : [];
    // A question may begin with "Who".
    if (BANNED_OPENER.test(sentence) && !sentence.endsWith("?")) faults.push(`the opener is banned: "${sentence}"`);
    return faults;
  });
  return [...subject, ...others];
}

/** A paragraph and an item of a list end a sentence, too. */
function sentencesOf(text: string): string[] {
  return text
    .split(/\n\s*\n|\n(?=\s*(?:[-*|]|\d+\.)\s)|\n(?=\s*@)/)
    .flatMap((paragraph) => paragraph.replaceAll(/\s+/g, " ").split(/(?<=[.!?]["')]?) (?=[A-Z`"'(\d])/))
    .map((sentence) => sentence.trim())
    .filter((sentence) => sentence !== "");
}
