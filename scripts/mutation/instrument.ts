// Adds to a source file calls that record that it was loaded, and which of its functions ran.
import { isFunction, parseSource, walk, type SyntaxNode } from "./syntax.ts";

/** How the top level of a file is named. */
export const topLevelOf = (file: string): string => `${file}#top`;

/** `recorder` is the absolute path of reached.js. Functions are named `file#number`, numbered as `walk` counts. */
export function instrument(file: string, text: string, recorder: string): string {
  const insertions: { at: number; text: string }[] = [];
  let functions = 0;
  walk(parseSource(text), (node) => {
    if (!isFunction(node)) return;
    const body = node["body"] as SyntaxNode;
    const call = `__reached(${JSON.stringify(`${file}#${functions++}`)})`;
    if (body.type === "BlockStatement") insertions.push({ at: body.start + 1, text: `${call};` });
    else insertions.push({ at: body.start, text: `(${call}, ` }, { at: body.end, text: ")" });
  });
  const instrumented = insertions
    .sort((a, b) => b.at - a.at)
    .reduce((whole, insertion) => whole.slice(0, insertion.at) + insertion.text + whole.slice(insertion.at), text);
  const loaded = `__reached(${JSON.stringify(topLevelOf(file))});`;
  return `import { __reached } from ${JSON.stringify(recorder)};${loaded}${instrumented}`;
}
