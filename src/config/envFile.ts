// Reads a file of variables, as `.env`: the lines that Node and Docker Compose read alike. A line that they read differently is
// an error with its number, because each program would take another value without a word. No message quotes a value.
import { statSync } from "node:fs";
import { FinalError } from "../util/start/finalError.ts";
import { readTextFileSync } from "../util/textFile.ts";
import { isProxyName, type Environment } from "./readVariables.ts";
import { isSecretName } from "./secretFiles.ts";
import { trimInvisible } from "./variableText.ts";

export interface EnvFile {
  /** As it is named: `.env`, or the text of SWITCHBOARD_ENV_FILE. */
  file: string;
  /** The variables that it gave to the process. */
  names: string[];
  /** What in it has no effect. */
  warnings: string[];
}

const DEFAULT_FILE = ".env";
const MAX_BYTES = 256 * 1024;
const LINE = /^(?:export\s+)?([^=\s]+)\s*=(.*)$/su;
const NAME = /^[A-Za-z_][A-Za-z0-9_]*$/;

/**
 * Adds to an environment the variables of the file that SWITCHBOARD_ENV_FILE names, or of `.env` in the working folder, if it is there. A
 * variable of the environment wins, also an empty one, and with it the secret that it holds or names. Null: there is no file. Throws a
 * FinalError that names each bad line.
 */
export function loadEnvFile(env: NodeJS.ProcessEnv): EnvFile | null {
  const named = trimInvisible(env["SWITCHBOARD_ENV_FILE"] ?? "");
  const file = named || DEFAULT_FILE;
  const unusable = named === "" ? whyUnusable(file) : null;
  if (unusable === "absent") return null;
  if (unusable !== null) return { file, names: [], warnings: [`${file} ${unusable}: no settings are read from it`] };
  const variables = parseEnvFile(textOf(file), file);
  const given = Object.entries(variables).filter(([name]) => !isSet(name, env));
  const [late, own] = [given.filter(([name]) => isOfNode(name)), given.filter(([name]) => !isOfNode(name))];
  for (const [name, value] of own) env[name] = value;
  return { file, names: own.map(([name]) => name), warnings: late.map(([name]) => lateText(name, file)) };
}

/** Nobody asked for this file, so it ends no command. Null: it is usable, as far as can be seen. */
function whyUnusable(file: string): string | null {
  try {
    const found = statSync(file, { throwIfNoEntry: false });
    if (!found) return "absent";
    return found.isDirectory() ? "is a folder" : null;
  } catch (error) {
    return `cannot be looked for in the working folder (${(error as NodeJS.ErrnoException).code})`;
  }
}

function textOf(file: string): string {
  try {
    return readTextFileSync(file, MAX_BYTES);
  } catch (cause) {
    throw new FinalError(`${file} ${(cause as Error).message}`, { cause });
  }
}

/**
 * A secret stands in a variable or in the file that NAME_FILE names, and a proxy's address also under a name in lower case. The
 * environment's own one replaces all.
 */
function isSet(name: string, env: Environment): boolean {
  const base = name.endsWith("_FILE") ? name.slice(0, -"_FILE".length) : name;
  const secrets = isSecretName(base) ? [base, `${base}_FILE`] : [];
  const proxies = isProxyName(base) ? [base.toLowerCase()] : [];
  return [name, ...secrets, ...proxies].some((each) => env[each] !== undefined);
}

/** Node reads these before it runs any program, or at any time for each connection. None of them is taken from a file. */
const isOfNode = (name: string) => /^(NODE_(OPTIONS|EXTRA_CA_CERTS|TLS_\w+|USE_\w+)|SSL_CERT_\w+|UV_\w+)$/.test(name);
const lateText = (name: string, file: string) =>
  `${name} is not taken from ${file}, because it is a setting of Node: set it in the environment`;

/** The variables of a file's text; the last line of a name counts. Throws a FinalError. */
export function parseEnvFile(text: string, file: string): Record<string, string> {
  const variables: Record<string, string> = {};
  const problems: string[] = [];
  const lines = text.split(/\r\n|\r|\n/);
  for (let at = 0; at < lines.length; at += 1) {
    const whole = lines[at] ?? "";
    const line = trimInvisible(whole);
    if (line === "" || line.startsWith("#")) continue;
    const fail = (problem: string) => problems.push(`line ${at + 1} ${problem}`);
    const [, name = "", rest = ""] = LINE.exec(whole.slice(whole.indexOf(line))) ?? [];
    if (!NAME.test(name)) {
      fail("is not NAME=value");
      continue;
    }
    const value = valueOf(rest, lines.slice(at + 1));
    if (typeof value === "string") fail(`(${name}) ${value}`);
    else {
      variables[name] = value.text;
      at += value.moreLines;
    }
  }
  if (problems.length > 0)
    throw new FinalError(`${file} cannot be used:\n${problems.map((each) => `  ${each}`).join("\n")}`);
  return variables;
}

interface Value {
  text: string;
  /** The lines after the first that belong to it. */
  moreLines: number;
}

const IN_SINGLE = "put it between single quotes";
/** An expansion of shells and of Docker Compose. */
const EXPANSION = /\$[\w{($]/;

/** The text is a problem. */
function valueOf(rest: string, following: readonly string[]): Value | string {
  const [quote] = rest.trimStart();
  if (quote === "`") return `stands in backticks, which shells run: ${IN_SINGLE}`;
  if (quote === "'" || quote === '"') return quotedValue(rest.trimStart(), quote, following);
  // Some programs take no comment after a value: with a blank in front of it, most do.
  const [text = ""] = ` ${rest}`.split(/\s#/, 1);
  if (text.includes("#")) return `has a # that some programs take for a comment: ${IN_SINGLE}`;
  if (/["'\\`]/.test(text))
    return "has a quote, a backtick or a \\ that programs read differently: put it between quotes";
  if (EXPANSION.test(text)) return `has a $ that some programs replace: ${IN_SINGLE}`;
  if (rest.startsWith("#")) return `begins with a #: ${IN_SINGLE}`;
  return { text: trimInvisible(text), moreLines: 0 };
}

/** Several lines between quotes are one value. */
function quotedValue(first: string, quote: string, following: readonly string[]): Value | string {
  let whole = first;
  for (let moreLines = 0; ; moreLines += 1) {
    const end = whole.indexOf(quote, 1);
    if (end !== -1) {
      const text = whole.slice(1, end);
      const after = whole.slice(end + 1);
      if (quote === '"' && /[\\`]/.test(text)) return `has a \\ or a backtick between double quotes: ${IN_SINGLE}`;
      if (quote === '"' && EXPANSION.test(text)) return `has a $ that some programs replace: ${IN_SINGLE}`;
      return /^\s*(\s#.*)?$/s.test(after) ? { text, moreLines } : "has a text after its second quote";
    }
    const next = following[moreLines];
    if (next === undefined) return "has no second quote";
    whole += `\n${next}`;
  }
}

/** A line that every reader takes alike. Null: no quotes can hold the value, which needs a file of its own. */
export function envLine(name: string, value: string): string | null {
  if (/^[\w.:/@,%+=-]*$/.test(value)) return `${name}=${value}`;
  if (/[\r\n]/.test(value)) return null;
  if (!value.includes("'")) return `${name}='${value}'`;
  return /["$\\`]/.test(value) ? null : `${name}="${value}"`;
}
