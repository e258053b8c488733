// Prepares the process for the gateway: keeps what Node compiles for the next start, and builds the console and packs the client
// if they are not up to date. Plain JavaScript: the first file that Node has to strip of its types would load the stripper, which no later start needs.
import { enableCompileCache, flushCompileCache } from "node:module";
import { fileURLToPath } from "node:url";
import "./exactImports.js";

const kept = fileURLToPath(new URL("../node_modules/.cache/compiled", import.meta.url));
enableCompileCache(kept);
// For the thread that holds the database: without it, that thread loads the stripper, which takes 20 MB. To Node an empty
// value is none.
process.env.NODE_COMPILE_CACHE ||= kept;
// Otherwise it is written at the end, and a gateway that is killed would compile all of it anew at each start.
setTimeout(flushCompileCache, 1000).unref();
// After the gateway's start, which it would slow down.
setTimeout(build, 500).unref();

/** Never rejects: the gateway runs on without what could not be built. The documentation comes last, because few gateways show it. */
export async function build() {
  try {
    if (!(await isConsoleOff())) await (await import("../console/build/ensureConsole.js")).ensureConsole();
    await (await import("../client/build/clientSources.js")).ensureClient();
    if (await isDocsOn()) await (await import("../site/build/sources.js")).ensureSite();
  } catch (error) {
    process.stderr.write(`  The build beside the gateway failed: ${error.message}\n\n`);
  }
}

/** As the gateway reads the variable. */
export const isConsoleOff = async () => (await valueOf("CONSOLE")) === "off";
export const isDocsOn = async () => (await valueOf("DOCS")) === "on";

async function valueOf(name) {
  const { trimInvisible } = await import("../src/config/variableText.ts");
  return trimInvisible(process.env[name] ?? "");
}
