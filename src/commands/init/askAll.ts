// Collects the answers of `switchboard init`: from flags, from variables that hold secrets already, from a terminal, or by default.
import { isAbsolute, resolve } from "node:path";
import { existsSync } from "node:fs";
import { secretText } from "../../config/variableRules.ts";
import { readSecretFile } from "../../config/secretFiles.ts";
import { textProblem, trimInvisible } from "../../config/variableText.ts";
import type { Environment } from "../../config/readVariables.ts";
import { UsageError } from "../options.ts";
import {
  questions,
  readAnswer,
  secretQuestions,
  type Answers,
  type Question,
  type SecretQuestion,
} from "./initQuestions.ts";
import { namesDatabase, type SettingsBefore } from "./settingsBefore.ts";
import type { SetupSecret } from "./setup.ts";
import { openTerminalPrompt, type TerminalPrompt } from "./terminalPrompt.ts";

export type InitFlags = { yes: boolean; force: boolean; "key-name": string; "key-scopes": string } & Partial<
  Record<string, string | boolean | undefined>
>;

/** `content`: null where the file is there; an empty text where a new secret is to be made. */
export type AskedSecret = SetupSecret & { content: string | null };

interface AskDeps {
  env: Environment;
  /** Whether a secret may stay in its file. */
  isThere: (file: string) => boolean;
  /** The settings that `--force` replaces. Null: there are none. */
  before: SettingsBefore | null;
}

export async function askAll(flags: InitFlags, { env, isThere, before }: AskDeps) {
  if (!flags.yes && !process.stdin.isTTY)
    throw new UsageError("There is no terminal to ask on: give --yes, and a flag for each answer that is no default.");
  using terminal = flags.yes ? null : openTerminalPrompt(process.stdin, process.stderr);
  const answers: Record<string, string> = {};
  for (const question of questions.filter((each) => each.flag in flags)) refuseUnused(question, flags);
  for (const question of questions)
    if (question.isAsked(answers))
      answers[question.flag] = await answerOf(question, { flags, answers, before, terminal });
  const secrets: AskedSecret[] = [];
  for (const question of secretQuestions) {
    if (!question.isAsked(answers)) continue;
    const secret = await secretOf(question, { flags, env, terminal, isThere, before });
    if (secret) secrets.push(secret);
  }
  return { answers, secrets };
}

interface AnswerDeps {
  flags: InitFlags;
  answers: Answers;
  before: SettingsBefore | null;
  terminal: TerminalPrompt | null;
}

async function answerOf(question: Question, { flags, answers, before, terminal }: AnswerDeps): Promise<string> {
  const { flag, text } = question;
  const given = flags[flag];
  const needsAnswer = flag === "database" && before !== null && namesDatabase(before);
  const preset = needsAnswer ? "" : question.preset(answers);
  if (typeof given === "string" || terminal === null) {
    if (typeof given !== "string" && needsAnswer)
      throw new UsageError("--database is needed: .env names a database, and another one may know nothing of it.");
    const read = readAnswer(question, typeof given === "string" ? given : "", answers);
    if ("problem" in read) throw new UsageError(`--${flag} ${read.problem}.`);
    return read.answer;
  }
  for (;;) {
    const typed = await terminal.ask(`${text}${preset ? ` [${preset}]` : ""}: `);
    const isLeftOut = needsAnswer && trimInvisible(typed) === "";
    const read = isLeftOut ? { problem: "is needed: .env names a database" } : readAnswer(question, typed, answers);
    if ("answer" in read) return read.answer;
    terminal.tell(`  The answer ${read.problem}.\n`);
  }
}

interface SecretDeps extends AskDeps {
  flags: InitFlags;
  terminal: TerminalPrompt | null;
}

/** Null: the gateway needs none. */
async function secretOf(
  question: SecretQuestion,
  { flags, env, terminal, isThere, before }: SecretDeps,
): Promise<AskedSecret | null> {
  const { flag, variable, file, text, whenEmpty } = question;
  const secret = { variable, name: file.slice(file.indexOf("/") + 1), file };
  const named = flags[flag];
  if (typeof named === "string") return { ...secret, ...readNamed(named, (problem) => failed(`--${flag}`, problem)) };
  const held = trimInvisible(env[variable] ?? "") || (before?.values[variable] ?? "");
  if (held !== "") {
    const problem = secretProblem(held);
    return problem === null ? { ...secret, content: held } : failed(variable, problem);
  }
  const namedBefore = before?.values[`${variable}_FILE`];
  const stays = namedBefore !== undefined || isThere(file);
  let noFile = "";
  for (;;) {
    const typed = terminal
      ? trimInvisible(await terminal.askHidden(`${text}${stays ? " (empty: it stays)" : ""}: `))
      : "";
    if (typed === "") {
      if (stays) return { ...secret, file: namedBefore ?? file, content: null };
      if (whenEmpty === "left out") return null;
      if (whenEmpty === "made") return { ...secret, content: "" };
      if (!terminal) return failed(`--${flag} or ${variable}`, "is needed with --service");
      terminal.tell("  The service asks for it.\n");
      continue;
    }
    const problems: string[] = [];
    const isFile = looksLikeFile(typed) && typed !== noFile;
    const read = isFile ? readNamed(typed, (problem) => void problems.push(problem)) : { content: typed };
    const problem = problems[0] ?? (read.content === null ? null : secretProblem(typed));
    if (problem === null) return { ...secret, ...read };
    terminal?.tell(`  The answer ${problem}.\n`);
    if (!isFile || existsSync(typed)) continue;
    noFile = typed;
    terminal?.tell("  If it is the secret itself, give it once more.\n");
  }
}

const looksLikeFile = (typed: string) => existsSync(typed) || isAbsolute(typed) || typed.startsWith("./");

/** The file is read now, so that a mistake shows now. */
function readNamed(file: string, fail: (problem: string) => unknown): { file: string; content: null } {
  try {
    const problem = secretProblem(readSecretFile(file));
    if (problem !== null) fail(`names a file whose content ${problem}`);
  } catch (error) {
    if (error instanceof UsageError) throw error;
    fail((error as Error).message);
  }
  return { file: resolve(file), content: null };
}

const secretProblem = (text: string): string | null =>
  textProblem(text, "secret") ?? secretText.safeParse(text).error?.issues[0]?.message ?? null;

function failed(name: string, problem: string): never {
  throw new UsageError(`${name} ${problem}.`);
}

/** A flag that no other answer needs is a mistake. */
function refuseUnused({ flag }: Question, flags: InitFlags): void {
  if (flag === "time-zone" && typeof flags[flag] === "string" && !flags["service"])
    throw new UsageError(`--${flag} needs --service.`);
}
