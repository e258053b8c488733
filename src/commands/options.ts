// The options of a command line: each is known by its name, or refused in a sentence that holds no value of it. parseArgs
// only splits the line, for its own refusals advise what does not help here.
import { parseArgs, type ParseArgsOptionsConfig } from "node:util";

/** What is wrong with a command line. */
export class UsageError extends Error {
  override readonly name = "UsageError";
}

/** Exit code of a command line that cannot be understood (EX_USAGE of sysexits.h). */
export const EXIT_USAGE = 64;

export type Values<O extends ParseArgsOptionsConfig> = ReturnType<typeof parseArgs<{ options: O }>>["values"];

export interface CommandLine<O extends ParseArgsOptionsConfig> {
  values: Values<O>;
  /** What is no option and no option's value. */
  words: string[];
  /** By --help or -h, which every command line knows. */
  asksForHelp: boolean;
}

const HELP = { help: { type: "boolean", short: "h" } } as const;

/** Throws UsageError. */
export function readOptions<O extends ParseArgsOptionsConfig>(args: readonly string[], options: O): CommandLine<O> {
  const known = { ...options, ...HELP };
  const { values, positionals, tokens } = parseArgs({ args: [...args], options: known, strict: false, tokens: true });
  const met = new Set<string>();
  for (const token of tokens) {
    if (token.kind !== "option") continue;
    const problem = problemOf(token, known) ?? (met.has(token.name) ? `${token.rawName} stands twice.` : null);
    if (problem !== null) throw new UsageError(problem);
    met.add(token.name);
  }
  return { values, words: positionals, asksForHelp: values["help"] === true };
}

interface Given {
  name: string;
  rawName: string;
  value: string | undefined;
  inlineValue: boolean | undefined;
}

function problemOf({ name, rawName, value, inlineValue }: Given, options: ParseArgsOptionsConfig): string | null {
  const option = Object.hasOwn(options, name) ? options[name] : undefined;
  if (!option) return `There is no option ${rawName}.`;
  if (option.type === "boolean") return value === undefined ? null : `${rawName} takes no value.`;
  const isNext = value !== undefined && !inlineValue && value.startsWith("--");
  return value === undefined || isNext ? `${rawName} needs a value.` : null;
}
