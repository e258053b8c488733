// Reads a file with a JSON list of settings, such as API_KEYS_FILE.
import { readFile } from "node:fs/promises";
import type { z } from "zod";
import { FinalError } from "../util/start/finalError.ts";

const LIST_RULE = "its entries must be in [ ], separated by commas, even a single one";

/**
 * Throws an Error while the file cannot be read, and a FinalError whose message says where it is wrong. Both quote nothing of its
 * content. `entry`: the members of an entry,
 * for the message.
 */
export async function readListFile<Entry>(file: string, schema: z.ZodType<Entry[]>, entry: string): Promise<Entry[]> {
  const text = await readFile(file, "utf8").catch((error: NodeJS.ErrnoException) => {
    throw new Error(`cannot be read (${error.code ?? "unknown cause"})`, { cause: error });
  });
  const content = parseJson(text);
  if (!Array.isArray(content)) throw new FinalError(`is not a list: ${LIST_RULE}`);
  const parsed = schema.safeParse(content);
  if (parsed.success) return parsed.data;
  const places = parsed.error.issues.map(placeOf);
  throw new FinalError(`is not a list of ${entry}: see ${[...new Set(places)].slice(0, 5).join(", ")}`);
}

/** Only messages of rules of our own are shown: the others may quote names of the file. */
function placeOf({ code, path, message }: z.core.$ZodIssue): string {
  if (path.length === 0) return `the list (${message})`;
  return code === "custom" && message !== "Invalid input" ? `${path.join(".")} (${message})` : path.join(".");
}

/** JSON.parse's own message would quote the file. */
function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new FinalError(`is not JSON: ${LIST_RULE}`);
  }
}
