// Bundles the scripts that run in the browser.
import { join } from "node:path";
import { build, type Rolldown } from "vite";

const SCRIPTS = join(import.meta.dirname, "../src");

export async function bundleScripts(): Promise<{ site: string; theme: string }> {
  const [site, theme] = await Promise.all([bundle("site.ts"), bundle("theme.ts")]);
  return { site, theme };
}

async function bundle(name: string): Promise<string> {
  const built = (await build({
    configFile: false,
    logLevel: "warn",
    build: {
      write: false,
      target: "es2022",
      modulePreload: false,
      rolldownOptions: { input: join(SCRIPTS, name), output: { codeSplitting: false } },
    },
  })) as Rolldown.RolldownOutput;
  const [chunk] = built.output;
  return chunk.code;
}
