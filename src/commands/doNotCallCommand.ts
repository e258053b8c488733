// `switchboard do-not-call`: changes the never-call list of a running gateway by a file, with one number in each line, or a table with
// the numbers in one column (numberColumn.ts).
import { createGatewayClient } from "./gatewayClient.ts";
import { numbersIn, type NumberInLine } from "./numberColumn.ts";
import { UsageError } from "./options.ts";
import { printLine } from "./output.ts";

interface Options {
  /** import or remove. */
  action?: string | undefined;
  file?: string | undefined;
  /** The head of the column, or its place from 1. Without it: the first. */
  column?: string | undefined;
  url?: string | undefined;
}

const actions = { import: "addToDoNotCall", remove: "removeFromDoNotCall" } as const;

/** The most numbers that one mutation takes. */
const BATCH = 1000;

interface Change {
  changed: number;
  unreadable: number[];
  reasons: string[];
}

/**
 * Prints the counts as a JSON line, and on standard error each line that changed nothing because it has no phone number, with the
 * reason. Resolves with 1 if there were such lines, or if other columns hold phone numbers and no column was named. A command that
 * was interrupted can be repeated.
 */
export async function doNotCallCommand(
  { action = "", file = "", column, url }: Options,
  env: NodeJS.ProcessEnv,
): Promise<number> {
  if (!Object.hasOwn(actions, action)) throw new UsageError("import or remove is needed.");
  const field = actions[action as keyof typeof actions];
  const gateway = createGatewayClient(url, env);
  const mutation = `mutation($numbers: [String!]!) { ${field}(numbers: $numbers) { changed unreadable reasons } }`;
  const counts = { read: 0, changed: 0, unreadable: 0 };
  const linesWithOthers: number[] = [];
  const send = async (batch: readonly NumberInLine[]) => {
    const numbers = batch.map(({ number }) => number);
    const result = (await gateway.query<Record<string, Change | null>>(mutation, { numbers }))[field];
    const { changed = 0, unreadable = [], reasons = [] } = result ?? {};
    for (const [at, place] of unreadable.entries())
      process.stderr.write(`Line ${batch[place]?.line ?? 0} has no phone number: it ${reasons[at] ?? "is not one"}.\n`);
    counts.read += batch.length;
    counts.changed += changed;
    counts.unreadable += unreadable.length;
  };
  let batch: NumberInLine[] = [];
  for await (const number of numbersIn(file, column ?? null)) {
    batch.push(number);
    if (number.hasOthers && column === undefined) linesWithOthers.push(number.line);
    if (batch.length < BATCH) continue;
    await send(batch);
    batch = [];
  }
  if (batch.length > 0) await send(batch);
  if (linesWithOthers.length > 0)
    process.stderr.write(
      `${linesWithOthers.length} lines hold phone numbers in other columns, which were left alone, line ${linesWithOthers[0]} first: name the column with --column, once for each.\n`,
    );
  await printLine(counts);
  return counts.unreadable + linesWithOthers.length === 0 ? 0 : 1;
}
