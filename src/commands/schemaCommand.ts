// `switchboard schema`: prints the graph, with --federation as a subgraph. --write and --check are for the copy in this repository.
import { readFile, writeFile } from "node:fs/promises";
import { printedSubgraph } from "../schema/federation/subgraph.ts";
import { printedSchema, schema } from "../schema/schema.ts";
import { exitCodes } from "../util/start/exitCodes.ts";
import { UsageError } from "./options.ts";
import { notify, print } from "./output.ts";

const COMMITTED = new URL("../schema/schema.graphql", import.meta.url);

/** Throws UsageError. */
export async function schemaCommand(options: { write: boolean; check: boolean; federation: boolean }): Promise<number> {
  if (options.federation) return printSubgraph(options);
  if (options.write && options.check) throw new UsageError("Use either --write or --check, not both.");
  const printed = printedSchema();
  if (options.write) await writeFile(COMMITTED, printed);
  else if (!options.check) print(printed);
  else if ((await readFile(COMMITTED, "utf8")) !== printed) {
    notify("src/schema/schema.graphql is out of date. Run: npm run schema\n");
    return exitCodes.failure;
  }
  return 0;
}

function printSubgraph({ write, check }: { write: boolean; check: boolean }): number {
  if (write || check) throw new UsageError("--federation only prints: use it without --write and --check.");
  print(printedSubgraph(schema));
  return 0;
}
