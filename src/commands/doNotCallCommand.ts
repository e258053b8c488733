// `switchboard do-not-call`: changes the never-call list of a running gateway by a file, with one number in each line. Of a line
// with commas or semicolons the first column counts, so that a table with the numbers in front can be imported.
import { createReadStream } from "node:fs";
import { createInterface } from "node:readline";
import { createGatewayClient } from "./gatewayClient.ts";
import { UsageError } from "./options.ts";
import { printLine } from "./output.ts";

interface Options {
  /** import or remove. */
  action?: string | undefined;
  file?: string | undefined;
  url?: string | undefined;
}

const actions = { import: "addToDoNotCall", remove: "removeFromDoNotCall" } as const;

/** The most numbers that one mutation takes. */
const BATCH = 1000;

interface Change {
  changed: number;
  unreadable: number[];
}

/**
 * Prints the counts as a JSON line, and the places of lines without a phone number on standard error. Resolves with 1 if there were
 * such lines. A command that was interrupted can be repeated.
 */
export async function doNotCallCommand(
  { action = "", file = "", url }: Options,
  env: NodeJS.ProcessEnv,
): Promise<number> {
  if (!Object.hasOwn(actions, action)) throw new UsageError("import or remove is needed.");
  const field = actions[action as keyof typeof actions];
  const gateway = createGatewayClient(url, env);
  const mutation = `mutation($numbers: [String!]!) { ${field}(numbers: $numbers) { changed unreadable } }`;
  let read = 0;
  let changed = 0;
  const unreadableLines: number[] = [];
  const send = async (batch: readonly NumberInLine[]) => {
    const numbers = batch.map(({ number }) => number);
    const result = await gateway.query<Record<string, Change | null>>(mutation, { numbers });
    changed += result[field]?.changed ?? 0;
    for (const place of result[field]?.unreadable ?? []) unreadableLines.push(batch[place]?.line ?? 0);
    read += batch.length;
  };
  let batch: NumberInLine[] = [];
  for await (const number of numbersIn(file)) {
    batch.push(number);
    if (batch.length < BATCH) continue;
    await send(batch);
    batch = [];
  }
  if (batch.length > 0) await send(batch);
  for (const line of unreadableLines.slice(0, MAX_NAMED_LINES))
    process.stderr.write(`Line ${line} has no phone number.\n`);
  await printLine({ read, changed, unreadable: unreadableLines.length });
  return unreadableLines.length === 0 ? 0 : 1;
}

const MAX_NAMED_LINES = 20;

interface NumberInLine {
  number: string;
  /** From 1. */
  line: number;
}

/** Throws an Error of one line if the file cannot be read. Empty lines are left out. */
async function* numbersIn(file: string): AsyncGenerator<NumberInLine, void, undefined> {
  const stream = createReadStream(file, "utf8");
  let line = 0;
  try {
    for await (const text of createInterface({ input: stream, crlfDelay: Infinity })) {
      line += 1;
      const [column = ""] = text.replace(/^\uFEFF/, "").split(/[,;\t]/, 1);
      const number = column.trim().replace(/^"(.*)"$/, "$1");
      if (number !== "") yield { number, line };
    }
  } catch (cause) {
    throw new Error(`${file} cannot be read: ${(cause as NodeJS.ErrnoException).code ?? "unknown cause"}.`, { cause });
  }
}
