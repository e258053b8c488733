// Runs the examples of client/README.md as printed, in a browser.
import { execFile } from "node:child_process";
import { mkdtemp, mkdir, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect, it } from "vitest";
import { ROOT, textAt } from "../../house/sources.ts";
import { startFakeService } from "../../support/fakeService.ts";
import { launchChromium } from "../../support/chromium.ts";
import { bundle } from "./browser.ts";
import { hasBrowser } from "./world.ts";

const WORKER = join(ROOT, "node_modules/msw/lib/mockServiceWorker.js");

const TYPES = {
  compilerOptions: {
    strict: true,
    noEmit: true,
    skipLibCheck: true,
    target: "esnext",
    module: "esnext",
    moduleResolution: "bundler",
    allowImportingTsExtensions: true,
    jsx: "react-jsx",
    types: [],
    paths: {
      "switchboard-client": [join(ROOT, "client/src/index.ts")],
      "switchboard-client/*": [join(ROOT, "client/src/*/index.ts")],
    },
  },
  include: ["src"],
};

/** Checks the types of the components and the test, and returns the bundle of the first component and its test. */
async function bundleExamples(): Promise<string> {
  const [component = "", page = "", test = ""] = [...textAt("client/README.md").matchAll(/```tsx\n(.*?)```/gs)].map(
    ([, code = ""]) => code,
  );
  const folder = await mkdtemp(join(tmpdir(), "switchboard-examples-"));
  try {
    await mkdir(join(folder, "src"));
    await symlink(join(ROOT, "node_modules"), join(folder, "node_modules"));
    await writeFile(join(folder, "src/LiveCalls.tsx"), component);
    await writeFile(join(folder, "src/Page.tsx"), page);
    await writeFile(join(folder, "src/test.tsx"), test);
    await writeFile(join(folder, "tsconfig.json"), JSON.stringify(TYPES));
    await promisify(execFile)("tsc", ["-p", folder]).catch(({ stdout }: { stdout: string }) => expect(stdout).toBe(""));
    return await bundle(join(folder, "src/test.tsx"));
  } finally {
    await rm(folder, { recursive: true });
  }
}

it.skipIf(!hasBrowser)(
  "the component of the README shows what the handlers of its test send: a call and a gap",
  async () => {
    await using parts = new AsyncDisposableStack();
    const files: Record<string, [type: string, text: string]> = {
      "/": ["text/html", '<!doctype html><body></body><script type="module" src="/test.js"></script>'],
      "/test.js": ["text/javascript", await bundleExamples()],
      "/mockServiceWorker.js": ["text/javascript", await readFile(WORKER, "utf8")],
    };
    const server = createServer((request, response) => {
      const [type, text] = files[request.url ?? ""] ?? ["text/plain", ""];
      response.writeHead(text === "" ? 404 : 200, { "content-type": type }).end(text);
    });
    const { url } = parts.use(await startFakeService(server));
    const browser = await launchChromium();
    parts.defer(() => browser.close());
    const page = await browser.newPage();
    const problems: string[] = [];
    page.on("pageerror", (error) => problems.push(String(error)));
    await page.goto(url);
    const lines = page.locator("section p");
    await lines.nth(1).waitFor();
    expect(await lines.allTextContents()).toEqual(["Calls are missing here.", "+12025550101"]);
    expect(await page.getByLabel("live").count()).toBe(1);
    expect(problems).toEqual([]);
  },
);
