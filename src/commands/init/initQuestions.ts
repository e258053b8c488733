// The questions of `switchboard init`: each has a flag, a default, and a rule. A secret is never a flag, which other users of the machine
// could read: flags name files that hold secrets.
import type { z } from "zod";
import { databasePasswords } from "../../config/databaseUrls.ts";
import { databaseUrl, httpUrl, timeZone } from "../../config/variableRules.ts";
import { textProblem, trimInvisible } from "../../config/variableText.ts";

export const deployments = ["none", "systemd", "compose", "kubernetes"] as const;
export type Deployment = (typeof deployments)[number];

export interface Question {
  /** On the command line, and the name of the answer. */
  flag: string;
  /** What it means, for the terminal and the help. */
  text: string;
  /** "": it has to be answered. Null: there is none, and the answer is empty. */
  preset: (answers: Answers) => string | null;
  /** Whether earlier answers need it. */
  isAsked: (answers: Answers) => boolean;
  /** Why the answer cannot be one; null: it can. */
  problemOf: (answer: string, answers: Answers) => string | null;
}

/** By flag; an empty text where there is no answer. */
export type Answers = Readonly<Record<string, string>>;

const fits = (rule: z.ZodType) => (answer: string) => rule.safeParse(answer).error?.issues[0]?.message ?? null;
const oneOf = (words: readonly string[]) => (answer: string) =>
  words.includes(answer) ? null : `must be one of ${words.join(", ")}`;
const hasService = ({ service = "" }: Answers) => service !== "";
const hasServer = ({ database = "" }: Answers) => database !== "" && database !== "sqlite";

export const questions: readonly Question[] = [
  {
    flag: "service",
    text: "Base address of the calling service (empty: the sandbox, where no phone rings)",
    preset: () => null,
    isAsked: () => true,
    problemOf: fits(httpUrl),
  },
  {
    flag: "time-zone",
    text: "Time zone of its times, such as Asia/Shanghai (switchboard doctor finds it out)",
    preset: () => "",
    isAsked: hasService,
    problemOf: fits(timeZone),
  },
  {
    flag: "public-host",
    text: "Name by which the service reaches the gateway, such as calls.example (empty: this machine alone)",
    preset: () => null,
    isAsked: () => true,
    problemOf: (answer) => (originOf(answer, "https") === null ? "must be a host name, such as calls.example" : null),
  },
  {
    flag: "tls-proxy",
    text: "Does a proxy with TLS stand in front of it (yes, no)",
    preset: (answers) => (answers["public-host"] ? "yes" : "no"),
    isAsked: () => true,
    problemOf: oneOf(["yes", "no"]),
  },
  {
    flag: "deploy",
    text: `Files to run it with (${deployments.join(", ")})`,
    preset: () => "none",
    isAsked: () => true,
    problemOf: oneOf(deployments),
  },
  {
    flag: "database",
    text: "Database: sqlite, or postgres://user@host/name without its password",
    preset: ({ deploy }) => (deploy === "kubernetes" ? "" : "sqlite"),
    isAsked: () => true,
    problemOf: databaseProblem,
  },
];

function databaseProblem(answer: string, { deploy }: Answers): string | null {
  if (answer === "sqlite")
    return deploy === "kubernetes" ? "must be a PostgreSQL for Kubernetes: two gateways share it" : null;
  if (!answer.startsWith("postgres")) return "must be sqlite or an address of PostgreSQL";
  if (databasePasswords(answer).length > 0) return "must not have the password, which belongs into a file";
  return fits(databaseUrl)(answer);
}

export interface SecretQuestion {
  /** On the command line: names a file with the secret. */
  flag: string;
  text: string;
  /** The variable that may hold the secret already. */
  variable: "UPSTREAM_TOKEN" | "WEBHOOK_AUTHORIZATION" | "PGPASSWORD";
  /** The file that it is written to. */
  file: string;
  isAsked: (answers: Answers) => boolean;
  /** What an empty answer means. */
  whenEmpty: "needed" | "made" | "left out";
}

export const secretQuestions: readonly SecretQuestion[] = [
  {
    flag: "token-file",
    text: "The service's token: a file that holds it, or the token itself",
    variable: "UPSTREAM_TOKEN",
    file: "secrets/upstream-token",
    isAsked: hasService,
    whenEmpty: "needed",
  },
  {
    flag: "webhook-header-file",
    text: "The Authorization header of its webhooks: a file that holds it, or the header itself (empty: a new one)",
    variable: "WEBHOOK_AUTHORIZATION",
    file: "secrets/webhook-authorization",
    isAsked: () => true,
    whenEmpty: "made",
  },
  {
    flag: "database-password-file",
    text: "The password of the database: a file that holds it, or the password itself (empty: none)",
    variable: "PGPASSWORD",
    file: "secrets/database-password",
    isAsked: hasServer,
    whenEmpty: "left out",
  },
];

/** Trimmed, and refused where it cannot be a variable's text. */
export function readAnswer(
  question: Question,
  given: string,
  answers: Answers,
): { answer: string } | { problem: string } {
  const answer = trimInvisible(given) || question.preset(answers);
  if (answer === null) return { answer: "" };
  if (answer === "") return { problem: "has no default, and needs an answer" };
  const problem = textProblem(answer, "plain") ?? question.problemOf(answer, answers);
  return problem === null ? { answer } : { problem };
}

/** The origin of a host name or an address; null: it is none. */
export function originOf(host: string, scheme: "http" | "https"): string | null {
  const url = URL.parse(/^https?:\/\//.test(host) ? host : `${scheme}://${host}`);
  if (!url || url.username || url.pathname !== "/" || url.search || url.hash) return null;
  return /^https?:$/.test(url.protocol) ? url.origin : null;
}
