// Reads a file with a JSON list of settings, such as API_KEYS_FILE. A fault is named by its entry, its member and the rule.
import type { z } from "zod";
import { FinalError } from "../util/start/finalError.ts";
import { readJsonFile } from "../util/textFile.ts";
import { isViewerName } from "./scopes.ts";
import { ruleAt, ruleOf } from "./settingRules.ts";

const LIST_RULE = "its entries must be in [ ], separated by commas, even a single one";
const MAX_FAULTS = 5;

type Issue = z.core.$ZodIssue;

/**
 * Throws an Error while the file cannot be read, and a FinalError whose message names the faults. Of the content both quote only names
 * of entries, and words that can be no secret. `labelOf`: the name of an entry, if it has one.
 */
export async function readListFile<Entry>(
  file: string,
  schema: z.ZodType<Entry[]>,
  labelOf: (entry: object) => unknown,
): Promise<Entry[]> {
  const content = await readJsonFile(file, LIST_RULE);
  if (!Array.isArray(content)) throw new FinalError(`is not a list: ${LIST_RULE}`);
  const parsed = schema.safeParse(content, { error: ruleOf });
  if (parsed.success) return parsed.data;
  const faults = [...new Set(parsed.error.issues.map((issue) => faultOf(issue, content, labelOf)))];
  const more = faults.length > MAX_FAULTS ? `; and ${faults.length - MAX_FAULTS} more` : "";
  throw new FinalError(`cannot be used: ${faults.slice(0, MAX_FAULTS).join("; ")}${more}`);
}

/** `entry 1 (web): unknown scope calls:raed` */
function faultOf({ path, message }: Issue, content: readonly unknown[], labelOf: (entry: object) => unknown): string {
  const [at, ...rest] = path;
  if (typeof at !== "number") return `the list ${message}`;
  const entry = content[at];
  const name = typeof entry === "object" && entry !== null ? labelOf(entry) : undefined;
  const label = typeof name === "string" && isPrintableName(name) ? ` (${name})` : "";
  return `entry ${at + 1}${label}: ${ruleAt(rest, message)}`;
}

/** A key that stands where its name belongs is not shown. */
function isPrintableName(name: string): boolean {
  return isViewerName(name) && !/swb_|\w{32}/.test(name);
}
