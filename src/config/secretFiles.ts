// Secrets that may stand in files: NAME_FILE names the file of the variable NAME, as systemd, Docker and Kubernetes mount secrets.
import { readFileSync } from "node:fs";
import { z } from "zod";
import { textProblem, trimInvisible } from "./variableText.ts";

export const secretNames = [
  "UPSTREAM_TOKEN",
  "WEBHOOK_AUTHORIZATION",
  "WEBHOOK_AUTHORIZATION_PREVIOUS",
  "DATABASE_URL",
  "RECORDINGS_S3_ACCESS_KEY_ID",
  "RECORDINGS_S3_SECRET_ACCESS_KEY",
  "OTEL_EXPORTER_OTLP_HEADERS",
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

/** Of a secret. A larger file is another one. */
const MAX_BYTES = 64 * 1024;

/** The secret without the line break after it. Throws an Error whose message follows the variable's name and quotes nothing. */
export function readSecretFile(file: string): string {
  const bytes = contentOf(file);
  if (bytes.byteLength > MAX_BYTES) throw new Error(`names a file of more than ${MAX_BYTES} bytes`);
  const text = trimInvisible(bytes.toString("utf8"));
  if (text === "") throw new Error("names an empty file");
  const problem = textProblem(text, "secret");
  if (problem !== null) throw new Error(`names a file whose content ${problem}`);
  return text;
}

function contentOf(file: string): Buffer {
  try {
    return readFileSync(file);
  } catch (error) {
    throw new Error(`names a file that cannot be read (${(error as NodeJS.ErrnoException).code ?? "unknown cause"})`, {
      cause: error,
    });
  }
}

/** The files of the secrets that stand in files. */
export function secretFilesOf(vars: Readonly<Record<string, unknown>>): Partial<Record<SecretName, string>> {
  const files = secretNames.map((name) => [name, vars[`${name}_FILE`]]);
  return Object.fromEntries(files.filter(([, file]) => file !== undefined)) as Partial<Record<SecretName, string>>;
}
