// Parses the options of a command line. Error messages name options but never their values, which may be secrets. parseArgs
// only splits the line: its own error messages give advice that does not fit here.
import { parseArgs, type ParseArgsOptionsConfig } from "node:util";

/** A mistake in the command line. */
export class UsageError extends Error {
  override readonly name = "UsageError";
}

export type Values<O extends ParseArgsOptionsConfig> = ReturnType<typeof parseArgs<{ options: O }>>["values"];

export interface CommandLine<O extends ParseArgsOptionsConfig> {
  values: Values<O>;
  /** Arguments that are neither options nor their values. */
  positionals: string[];
  /** Whether --help or -h is given, which every command accepts. */
  wantsHelp: boolean;
}

const HELP = { help: { type: "boolean", short: "h" } } as const;

/** Throws UsageError. */
export function readOptions<O extends ParseArgsOptionsConfig>(args: readonly string[], options: O): CommandLine<O> {
  const known = { ...options, ...HELP };
  const { values, positionals, tokens } = parseArgs({ args: [...args], options: known, strict: false, tokens: true });
  const used = new Set<string>();
  for (const token of tokens) {
    if (token.kind !== "option") continue;
    const problem = problemOf(token, known) ?? (used.has(token.name) ? `${token.rawName} is given twice.` : null);
    if (problem !== null) throw new UsageError(problem);
    used.add(token.name);
  }
  return { values, positionals: positionals, wantsHelp: values["help"] === true };
}

interface OptionToken {
  name: string;
  rawName: string;
  value: string | undefined;
  inlineValue: boolean | undefined;
}

function problemOf({ name, rawName, value, inlineValue }: OptionToken, options: ParseArgsOptionsConfig): string | null {
  const option = Object.hasOwn(options, name) ? options[name] : undefined;
  if (!option) return `Unknown option ${rawName}.`;
  if (option.type === "boolean") return value === undefined ? null : `${rawName} takes no value.`;
  const isNext = value !== undefined && !inlineValue && value.startsWith("--");
  return value === undefined || isNext ? `${rawName} needs a value.` : null;
}
