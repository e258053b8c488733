// Reads environment variables by their rules. A bad configuration gives one error that names every bad variable, and never a
// value.
import { z } from "zod";

export type Environment = Readonly<Record<string, string | undefined>>;

export class ConfigError extends Error {
  override readonly name = "ConfigError";
  readonly problems: readonly string[];
  constructor(problems: readonly string[]) {
    super(`The configuration cannot be used:\n${problems.map((problem) => `  ${problem}`).join("\n")}`);
    this.problems = problems;
  }
}

/** The variables that are set. An empty variable counts as not set. */
export function setVariables(env: Environment): Record<string, string> {
  const set: Record<string, string> = {};
  for (const [name, value] of Object.entries(env)) if (value !== undefined && value !== "") set[name] = value;
  return set;
}

/** Reads a few variables, and ignores all others. Throws ConfigError. */
export function readVariables<S extends z.ZodRawShape>(rules: S, env: Environment): z.output<z.ZodObject<S>> {
  const parsed = z.object(rules).safeParse(setVariables(env));
  if (parsed.success) return parsed.data;
  throw new ConfigError(parsed.error.issues.map(problemOf));
}

/** `PORT must be a whole number from 0 to 65535` */
export function problemOf({ path, message }: z.core.$ZodIssue): string {
  return `${path.join(".")} ${message}`;
}
