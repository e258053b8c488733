// What the built documentation was built from. Plain JavaScript, as bin/start.js is, which runs this at a start with DOCS=on.
import { fileURLToPath } from "node:url";
import { digestOf, ensureBuilt, isBuiltIn, putInPlace } from "../../bin/builtFiles.js";

export const DIST = fileURLToPath(new URL("../dist", import.meta.url));
/** A source that a page shows, such as a test, is shown anew when one of these changes. */
export const SOURCES = [
  // First, because a package does not have it: so isBuiltIn recognises a package. It has this file, in site/build.
  "site/src",
  "site/build",
  "docs",
  "README.md",
  "ARCHITECTURE.md",
  "CHANGELOG.md",
  "CONTRIBUTING.md",
  "DEPENDENCIES.md",
  "SECURITY.md",
  "package.json",
  "client/README.md",
  "console/README.md",
  "console/src/styles/tokens.css",
  "console/src/icon.svg",
  "examples/README.md",
];
const HINT = "The gateway runs without it, or with the one that was built before. DOCS=off switches it off.";

export const digestOfSources = () => digestOf(SOURCES);

/** Whether the built documentation fits its sources. A package has it without them. */
export const isBuilt = () => isBuiltIn(DIST, SOURCES);

/** Puts a folder that was built from sources of this digest in the place of DIST. */
export const replaceSite = (fresh, digest) => putInPlace(fresh, DIST, { digest, isBuilt });

/** Resolves when it is up to date, or when it could not be built and this was said. Never rejects. */
export function ensureSite() {
  const build = fileURLToPath(new URL("buildSite.ts", import.meta.url));
  return ensureBuilt({ isBuilt, build, name: "The documentation", hint: HINT });
}
