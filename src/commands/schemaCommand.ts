// `switchboard schema`: prints the graph; --write and --check are for this repository's own copy of it.
import { readFile, writeFile } from "node:fs/promises";
import { printedSchema } from "../schema/schema.ts";
import { UsageError } from "./options.ts";

const COMMITTED = new URL("../schema/schema.graphql", import.meta.url);

/** Throws UsageError. */
export async function schemaCommand(options: { write: boolean; check: boolean }): Promise<number> {
  if (options.write && options.check) throw new UsageError("--write and --check exclude each other.");
  const printed = printedSchema();
  if (options.write) await writeFile(COMMITTED, printed);
  else if (!options.check) process.stdout.write(printed);
  else if ((await readFile(COMMITTED, "utf8")) !== printed) {
    process.stderr.write("src/schema/schema.graphql is not what the code builds: npm run schema\n");
    return 1;
  }
  return 0;
}
