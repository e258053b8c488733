// Builds an example as its users do: `vite build` in its folder, with the gateway's address in the environment.
import { fileURLToPath } from "node:url";
import { startProgram } from "../../support/program.ts";

const VITE = fileURLToPath(new URL("../../../node_modules/vite/bin/vite.js", import.meta.url));

/** Fills the folder with what an example's site consists of. */
export type FillSite = (folder: string, gatewayUrl: string) => Promise<void>;

/** `example`: the name of its folder. */
export function viteBuild(example: string): FillSite {
  const root = fileURLToPath(new URL(`../../../examples/${example}`, import.meta.url));
  return async (folder, gatewayUrl) => {
    const args = ["build", "--outDir", folder, "--emptyOutDir", "--logLevel", "warn"];
    const build = startProgram([VITE, ...args], { VITE_GATEWAY_URL: gatewayUrl }, root);
    if ((await build.exited) !== 0) throw new Error(`vite build failed: ${build.stderr()}${build.output.join("\n")}`);
  };
}
