// Reads environment variables by their rules. A bad configuration gives one error that names every bad variable, and never a
// value.
import { z } from "zod";
import { FinalError } from "../util/start/finalError.ts";
import { isSecretName, readSecretFile } from "./secretFiles.ts";
import { isServiceLink } from "./serviceLinks.ts";
import { textProblem, trimInvisible, type TextKind } from "./variableText.ts";

export type Environment = Readonly<Record<string, string | undefined>>;

export class ConfigError extends FinalError {
  override readonly name = "ConfigError";
  readonly problems: readonly string[];
  constructor(problems: readonly string[]) {
    const each = [...new Set(problems)];
    super(`The configuration cannot be used:\n${each.map((problem) => `  ${problem}`).join("\n")}`);
    this.problems = each;
  }
}

/** The texts of some variables, each under its name. */
export interface VariableTexts {
  /** The variables that are set. An empty variable counts as not set, and so does one that Kubernetes set for a Service. */
  texts: Record<string, string>;
  /** The variables that are set and cannot be read. Their texts are useless. */
  unreadable: Record<string, string>;
  problems: string[];
  /** Those of files that cannot be read now. Their variables have texts that fit any rule and mean nothing. */
  away: string[];
}

/** Reads each of these variables, or the file that NAME_FILE names. */
export function readTexts(names: readonly string[], env: Environment): VariableTexts {
  const read: VariableTexts = { texts: {}, unreadable: {}, problems: [], away: [] };
  const fail = (name: string, problem: string) => {
    read.unreadable[name] = "unreadable";
    if (!read.problems.includes(problem)) read.problems.push(problem);
  };
  for (const name of names) {
    const text = trimInvisible(env[name] ?? "") || lowerCaseText(name, env);
    const file = isSecretName(name) ? trimInvisible(env[`${name}_FILE`] ?? "") : "";
    if (text !== "" && file !== "") fail(name, `${name} and ${name}_FILE exclude each other`);
    else if (file !== "") readFile(name, file);
    else if (text !== "" && !isServiceLink(name, text)) readOwn(name, text);
  }
  return read;

  function readOwn(name: string, text: string): void {
    const problem = textProblem(text, kindOf(name));
    if (problem === null) read.texts[name] = text;
    else fail(name, `${name} ${problem}`);
  }
  function readFile(name: string, file: string): void {
    const problem = textProblem(file, "plain");
    if (problem !== null) return fail(name, `${name}_FILE ${problem}`);
    try {
      read.texts[name] = readSecretFile(file);
    } catch (error) {
      const text = `${name}_FILE ${(error as Error).message}`;
      if (error instanceof FinalError) return fail(name, text);
      read.away.push(text);
      read.texts[name] = UNREAD[name] ?? "unread";
    }
  }
}

/** Texts that fit the rules of their variables. */
const UNREAD: Readonly<Record<string, string>> = {
  DATABASE_URL: "postgres://unread.invalid/",
  HTTP_PROXY: "http://unread.invalid/",
  HTTPS_PROXY: "http://unread.invalid/",
};

/** The variables of proxies, which programs read in lower case, too. */
export const isProxyName = (name: string) => ["HTTP_PROXY", "HTTPS_PROXY", "NO_PROXY"].includes(name);

function lowerCaseText(name: string, env: Environment): string {
  return isProxyName(name) ? trimInvisible(env[name.toLowerCase()] ?? "") : "";
}

/** Variables that hold names for people. */
const NAMES = ["KNOWN_ASSISTANTS", "KNOWN_LINES", "OTEL_SERVICE_NAME", "OTEL_RESOURCE_ATTRIBUTES"];

function kindOf(name: string): TextKind {
  if (isSecretName(name)) return "secret";
  return NAMES.includes(name) ? "names" : "plain";
}

/** Reads a few variables, and ignores all others. Throws ConfigError. */
export function readVariables<S extends z.ZodRawShape>(
  rules: S,
  env: Environment,
  describe: (issue: z.core.$ZodIssue, texts: VariableTexts["texts"]) => string = problemOf,
): z.output<z.ZodObject<S>> {
  const { texts, unreadable, problems, away } = readTexts(Object.keys(rules), env);
  const parsed = z.object(rules).safeParse(texts);
  if (parsed.success && problems.length + away.length === 0) return parsed.data;
  const issues = (parsed.error?.issues ?? []).filter(({ path }) => !(String(path[0]) in unreadable));
  throw new ConfigError([...problems, ...issues.map((issue) => describe(issue, texts)), ...away]);
}

/** Reads each variable by itself. A bad one keeps its text, so that it counts as set. */
export function readEach<S extends Record<string, z.ZodType>>(
  rules: S,
  { texts, unreadable }: VariableTexts,
): Partial<{ [Name in keyof S]: z.output<S[Name]> }> {
  const entries = Object.entries(rules).flatMap(([name, rule]): [string, unknown][] => {
    if (name in unreadable) return [[name, unreadable[name]]];
    const value = texts[name];
    const parsed = rule.safeParse(value);
    if (parsed.success) return [[name, parsed.data]];
    return value === undefined ? [] : [[name, value]];
  });
  return Object.fromEntries(entries) as Partial<{ [Name in keyof S]: z.output<S[Name]> }>;
}

/** `PORT must be a whole number from 0 to 65535` */
export function problemOf({ path, message }: z.core.$ZodIssue): string {
  return `${path.join(".")} ${message}`;
}
