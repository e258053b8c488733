// Secrets that may stand in files: NAME_FILE names the file of the variable NAME, as systemd, Docker and Kubernetes mount secrets.
import { z } from "zod";
import { FinalError } from "../util/start/finalError.ts";
import { readTextFileSync } from "../util/textFile.ts";
import { databasePasswords } from "./databaseUrls.ts";
import { passwordsOfProxy } from "./proxyConfig.ts";
import { headerSecrets } from "./tracingConfig.ts";
import { textProblem, trimInvisible } from "./variableText.ts";

export const secretNames = [
  "UPSTREAM_TOKEN",
  "WEBHOOK_AUTHORIZATION",
  "WEBHOOK_AUTHORIZATION_PREVIOUS",
  "DATABASE_URL",
  "PGPASSWORD",
  "RECORDINGS_S3_ACCESS_KEY_ID",
  "RECORDINGS_S3_SECRET_ACCESS_KEY",
  "RECORDINGS_S3_SESSION_TOKEN",
  "OTEL_EXPORTER_OTLP_HEADERS",
  "HTTP_PROXY",
  "HTTPS_PROXY",
  "SANDBOX_TOKEN",
  "SANDBOX_WEBHOOK_AUTHORIZATION",
  "SWITCHBOARD_KEY",
] as const;
export type SecretName = (typeof secretNames)[number];

export const isSecretName = (name: string): name is SecretName => secretNames.some((secret) => secret === name);

type SecretFileVariables = Record<`${Exclude<SecretName, "SWITCHBOARD_KEY">}_FILE`, z.ZodOptional<z.ZodString>>;

/** The variables of the gateway that name files of secrets. SWITCHBOARD_KEY is a variable of commands. */
export const secretFileVariables = Object.fromEntries(
  secretNames.filter((name) => name !== "SWITCHBOARD_KEY").map((name) => [`${name}_FILE`, z.string().optional()]),
) as SecretFileVariables;

/** A larger file holds no secret. */
const MAX_BYTES = 64 * 1024;

/**
 * The secret without the line break after it. Throws an Error while the file cannot be read or is empty, as while a program writes it,
 * and a FinalError where its content is no secret. Both messages follow the variable's name and quote nothing.
 */
export function readSecretFile(file: string): string {
  const text = trimInvisible(contentOf(file));
  if (text === "") throw new Error("names an empty file");
  const problem = textProblem(text, "secret");
  if (problem !== null) throw new FinalError(`names a file whose content ${problem}`);
  return text;
}

function contentOf(file: string): string {
  try {
    return readTextFileSync(file, MAX_BYTES);
  } catch (cause) {
    const { message } = cause as Error;
    const text = `names a file that ${message}`;
    throw cause instanceof FinalError ? new FinalError(text, { cause }) : new Error(text, { cause });
  }
}

/** The files of the secrets that stand in files. */
export function secretFilesOf(vars: Readonly<Record<string, unknown>>): Partial<Record<SecretName, string>> {
  const files = secretNames.map((name) => [name, vars[`${name}_FILE`]]);
  return Object.fromEntries(files.filter(([, file]) => file !== undefined)) as Partial<Record<SecretName, string>>;
}

/** What must never be written of a secret. */
export function hiddenTexts(name: SecretName, text: string): readonly string[] {
  if (name === "DATABASE_URL") return databasePasswords(text);
  if (name === "PGPASSWORD") return databasePasswords("", text);
  if (name === "OTEL_EXPORTER_OTLP_HEADERS") return headerSecrets(text);
  if (name === "HTTP_PROXY" || name === "HTTPS_PROXY") return passwordsOfProxy(text);
  return name === "RECORDINGS_S3_ACCESS_KEY_ID" ? [] : [text];
}
