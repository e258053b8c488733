// `npm run screenshots`: the pictures of the console in docs/images. Starts a gateway with its sandbox, waits for calls, and takes
// each view in light and in dark with Chromium. CHROMIUM: its path.
import { spawn, spawnSync } from "node:child_process";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { chromium } from "playwright-core";

/** `ready`: what the page shows when its data is there. */
const VIEWS = [
  { name: "live", path: "/live", ready: ".uplot canvas" },
  { name: "calls", path: "/calls", ready: "main [role=row] >> nth=3" },
  { name: "tasks", path: "/tasks", ready: "main a" },
  { name: "statistics", path: "/statistics?range=1h", ready: ".uplot canvas" },
  { name: "health", path: "/status", ready: "main dl" },
];
const THEMES = ["light", "dark"] as const;
const SIZE = { width: 1280, height: 800 };
const MAX_BYTES = 200_000;
const CALLS = 60;
const WAIT_MS = 60_000;

const root = join(import.meta.dirname, "..");
const images = join(root, "docs", "images");
const folder = await mkdtemp(join(tmpdir(), "switchboard-screenshots-"));
const gateway = startGateway();
try {
  const url = await addressOf();
  await untilCalled(url);
  await mkdir(images, { recursive: true });
  for (const theme of THEMES) await takeAll(url, theme);
} finally {
  gateway.kill();
  await rm(folder, { recursive: true, force: true });
}

function startGateway() {
  const build = spawnSync(process.execPath, [join(root, "console/build/buildConsole.js"), "--if-needed"]);
  if (build.status !== 0) throw new Error(`The console could not be built: ${String(build.stderr)}`);
  const env = {
    PATH: process.env["PATH"],
    PORT: "0",
    SANDBOX_PORT: "0",
    SANDBOX_SPEED: "60",
    DATABASE_URL: `file:${join(folder, "switchboard.db")}`,
    RECORDINGS: join(folder, "recordings"),
  };
  return spawn(process.execPath, [join(root, "src/cli.ts"), "start"], {
    cwd: folder,
    env,
    stdio: ["ignore", "ignore", "pipe"],
  });
}

/** As the gateway says it when it is ready. */
async function addressOf(): Promise<string> {
  let said = "";
  for await (const text of gateway.stderr) {
    said += String(text);
    const url = /Switchboard\s+(http:\S+)/.exec(said)?.[1];
    if (url) {
      gateway.stderr.resume();
      return url;
    }
  }
  throw new Error(`The gateway did not start: ${said}`);
}

async function untilCalled(url: string): Promise<void> {
  const end = Date.now() + WAIT_MS;
  while (Date.now() < end) {
    const response = await fetch(`${url}/graphql`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: '{"query":"{ callStats { calls } }"}',
    });
    const { data } = (await response.json()) as { data: { callStats: { calls: number } } };
    if (data.callStats.calls >= CALLS) return;
    await wait(500);
  }
  throw new Error(`The log did not reach ${CALLS} calls within ${WAIT_MS / 1000} s.`);
}

async function takeAll(url: string, theme: "light" | "dark"): Promise<void> {
  const executablePath = process.env["CHROMIUM"] ?? "/usr/bin/chromium";
  const browser = await chromium.launch({ executablePath, args: ["--no-sandbox"] });
  try {
    const page = await browser.newPage({
      viewport: SIZE,
      colorScheme: theme,
      locale: "en-GB",
      reducedMotion: "reduce",
    });
    for (const { name, path, ready } of VIEWS) {
      await page.goto(url + path);
      await page.locator(ready).first().waitFor();
      // Names and charts follow the list.
      await wait(1500);
      const picture = await page.screenshot();
      if (picture.length > MAX_BYTES) throw new Error(`${name} has ${picture.length} bytes, more than ${MAX_BYTES}.`);
      await writeFile(join(images, `${name}-${theme}.png`), picture);
    }
  } finally {
    await browser.close();
  }
}
