// `npm run build -w switchboard-console`: builds the console into console/dist, compressed. With --if-needed: only if its
// sources changed since. The folder is replaced when
// everything is ready, so that a gateway that runs never serves half of it.
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { brotliCompressSync, constants, gzipSync } from "node:zlib";
import { putInPlace } from "../../bin/builtFiles.js";
import { consoleManifest } from "./manifest.js";
import { DIST, digestOfSources, isBuilt } from "./sources.js";

if (process.argv.includes("--if-needed") && isBuilt()) process.exit();
refusePath(DIST);
const { build } = await import("vite");

const fresh = `${DIST}-${process.pid}`;
// What changes while it builds is built at the next start.
const digest = digestOfSources();
try {
  mkdirSync(fresh, { recursive: true });
  await build({
    configFile: fileURLToPath(new URL("../vite.config.ts", import.meta.url)),
    logLevel: "warn",
    build: { outDir: fresh, emptyOutDir: true },
  });
  for (const folder of [fresh, join(fresh, "assets")]) compressFilesOf(folder);
  writeFileSync(join(fresh, "documents.json"), JSON.stringify(await consoleManifest(), null, 2));
  putInPlace(fresh, DIST, { digest, isBuilt });
} finally {
  rmSync(fresh, { recursive: true, force: true });
}

/** Vite takes what follows these characters for no part of a file's name. */
function refusePath(path) {
  const [odd] = /[#?]/.exec(path) ?? [];
  if (odd) throw new Error(`the path ${path} has a ${odd}, which Vite cannot read. Move or rename that folder.`);
}

function compressFilesOf(folder) {
  const names = readdirSync(folder).filter((name) => /\.(html|js|css|svg)$/.test(name));
  for (const path of names.map((name) => join(folder, name))) {
    const bytes = readFileSync(path);
    const params = { [constants.BROTLI_PARAM_QUALITY]: 10, [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length };
    writeFileSync(`${path}.br`, brotliCompressSync(bytes, { params }));
    writeFileSync(`${path}.gz`, gzipSync(bytes, { level: 9 }));
  }
}
