// Colours of code, as classes: the content security policy refuses inline styles.
import hljs from "highlight.js/lib/common";
import dockerfile from "highlight.js/lib/languages/dockerfile";
import http from "highlight.js/lib/languages/http";
import nginx from "highlight.js/lib/languages/nginx";

hljs.registerLanguage("dockerfile", dockerfile);
hljs.registerLanguage("http", http);
hljs.registerLanguage("nginx", nginx);

/** More than this is shown without colours. */
const MAX_CHARACTERS = 60_000;
const BY_EXTENSION: Record<string, string> = { mjs: "js", yml: "yaml", rules: "yaml" };

/** HTML of `code`. A language that is not known has no colours. */
export function highlight(code: string, language: string): string {
  if (code.length > MAX_CHARACTERS || hljs.getLanguage(language) === undefined) return escapeHtml(code);
  return hljs.highlight(code, { language, ignoreIllegals: true }).value;
}

export function languageOf(path: string): string {
  const extension = path.split(".").at(-1) ?? "";
  return BY_EXTENSION[extension] ?? extension;
}

const ESCAPES: Record<string, string> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" };

export const escapeHtml = (text: string): string => text.replaceAll(/[&<>"]/g, (character) => ESCAPES[character] ?? "");
