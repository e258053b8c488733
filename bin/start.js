// What `npm start` runs: the gateway, with what Node compiles kept for the next start. Plain JavaScript, and all else loaded
// after it has said so: the first file that Node has to strip of its types would load the stripper, which no later start
// needs.
import { enableCompileCache, flushCompileCache } from "node:module";
import { fileURLToPath } from "node:url";

const kept = fileURLToPath(new URL("../node_modules/.cache/compiled", import.meta.url));
enableCompileCache(kept);
// For the thread that holds the database.
process.env.NODE_COMPILE_CACHE ??= kept;
// Otherwise it is written at the end, and whoever is killed would compile all of it anew at each start.
setTimeout(flushCompileCache, 1000).unref();
await import("../src/main.ts");
