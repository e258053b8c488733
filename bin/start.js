// What `npm start` runs: the gateway, with what Node compiles kept for the next start. Plain JavaScript, and all else loaded
// after it has said so: the first file that Node has to strip of its types would load the stripper, which no later start
// needs.
import { enableCompileCache } from "node:module";
import { fileURLToPath } from "node:url";

const kept = fileURLToPath(new URL("../node_modules/.cache/compiled", import.meta.url));
enableCompileCache(kept);
// For the thread that holds the database.
process.env.NODE_COMPILE_CACHE ??= kept;
await import("../src/main.ts");
