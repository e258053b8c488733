// `switchboard do-not-call`: changes the never-call list of a running gateway by a file, with one number in each line, or a table with
// the numbers in one column (numberColumn.ts).
import { createGatewayClient } from "./gatewayClient.ts";
import type { RowFault } from "../../format/tables/tableRows.ts";
import { readNumbers, type NumberInLine } from "./numberColumn.ts";
import { UsageError } from "../options.ts";
import { notify, printLine } from "../output.ts";
import { terminalLine } from "../../util/logging/terminalText.ts";

interface Options {
  /** import or remove. */
  action?: string | undefined;
  file?: string | undefined;
  /** The head of the column, or its place from 1. Without it: the first. */
  column?: string | undefined;
  /** What stands between the cells. Without it: as the file looks. */
  separator?: string | undefined;
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
  { action = "", file = "", column, separator, url }: Options,
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
      notify(`Line ${batch[place]?.line ?? 0} has no phone number: it ${terminalLine(reasons[at] ?? "is not one")}.\n`);
    counts.read += batch.length;
    counts.changed += changed;
    counts.unreadable += unreadable.length;
  };
  const numbers = await readNumbers(file, { column: column ?? null, separator: separator ?? null });
  const readable = numbers.filter(({ fault }) => fault === null);
  for (const { fault, line, lines } of numbers) {
    if (fault === null) continue;
    notify(`${nameOf(line, lines)} not read: ${FAULTS[fault]}.\n`);
    counts.read += lines;
    counts.unreadable += lines;
  }
  for (const { line, hasOthers } of readable) if (hasOthers && column === undefined) linesWithOthers.push(line);
  for (let start = 0; start < readable.length; start += BATCH) await send(readable.slice(start, start + BATCH));
  if (linesWithOthers.length > 0)
    notify(
      `${linesWithOthers.length} lines hold phone numbers in other columns, which were left alone, line ${linesWithOthers[0]} first: name the column with --column, once for each.\n`,
    );
  await printLine(counts);
  return counts.unreadable + linesWithOthers.length === 0 ? 0 : 1;
}

const FAULTS: Record<RowFault, string> = {
  openQuote: "a quote opens there and never ends",
  quotes: "a quote stands in the middle of a cell",
  swallowed: "a cell in quotes holds several lines with phone numbers",
};

const nameOf = (line: number, lines: number) =>
  lines === 1 ? `Line ${line} was` : `Lines ${line} to ${line + lines - 1} were`;
