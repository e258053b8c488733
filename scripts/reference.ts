// Makes the pages of docs/reference/ from the code, and sets the version in the others. `npm run schema` writes them; `npm run check:schema` refuses stale ones.
// Argument: --write.
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { commandsPage } from "./reference/commandsPage.ts";
import { errorsPage } from "./reference/errorsPage.ts";
import { graphPage } from "./reference/graphPage.ts";
import { metricsPage } from "./reference/metricsPage.ts";
import { findOldVersions } from "./reference/pageVersions.ts";
import { typesPage } from "./reference/typesPage.ts";

const FOLDER = new URL("../docs/reference/", import.meta.url);

const pages: Readonly<Record<string, string>> = {
  "commands.md": commandsPage(),
  "errors.md": errorsPage(),
  "graph.md": graphPage(),
  "metrics.md": metricsPage(),
  "types.md": typesPage(),
};

if (process.argv.includes("--write")) {
  mkdirSync(FOLDER, { recursive: true });
  for (const [name, text] of Object.entries(pages)) writeFileSync(new URL(name, FOLDER), text);
  findOldVersions(true);
} else {
  const committed = existsSync(FOLDER) ? readdirSync(FOLDER) : [];
  const isStale = (name: string) =>
    !committed.includes(name) || readFileSync(new URL(name, FOLDER), "utf8") !== pages[name];
  const stale = [...new Set([...Object.keys(pages), ...committed])].filter(isStale);
  for (const name of stale) process.stderr.write(`docs/reference/${name} is out of date. Run: npm run schema\n`);
  const old = findOldVersions(false);
  for (const path of old) process.stderr.write(`${path} is written for another version. Run: npm run schema\n`);
  if (stale.length + old.length > 0) process.exitCode = 1;
}
