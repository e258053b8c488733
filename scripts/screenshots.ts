// `npm run screenshots`: the pictures of the console in docs/images, as a newcomer sees it. Starts a gateway with its sandbox, waits for
// the week of calls that the sandbox tells, and takes each view in light and in dark with Chromium. CHROMIUM: its path.
import { spawn, spawnSync } from "node:child_process";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import type { Readable } from "node:stream";
import { setTimeout as wait } from "node:timers/promises";
import { chromium } from "playwright-core";

/** `ready`: what the page shows when its data is there. */
const VIEWS = [
  { name: "live", path: "/live", ready: ".uplot canvas" },
  { name: "calls", path: "/calls", ready: "main [role=row] >> nth=3" },
  { name: "tasks", path: "/tasks", ready: "text=Running" },
  { name: "statistics", path: "/statistics", ready: ".uplot canvas" },
  { name: "health", path: "/status", ready: "main dl" },
];
const THEMES = ["light", "dark"] as const;
const SIZE = { width: 1280, height: 800 };
const MAX_BYTES = 200_000;
const WAIT_MS = 60_000;

const root = join(import.meta.dirname, "..");
const images = join(root, "docs", "images");
const folder = await mkdtemp(join(tmpdir(), "switchboard-screenshots-"));
const gateway = startGateway();
/** Resolves when the sandbox has told its history. */
const begun = untilSaid(gateway.stdout, "The sandbox has begun.");
try {
  const url = await addressOf();
  await begun;
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
    DATABASE_URL: `file:${join(folder, "switchboard.db")}`,
    RECORDINGS_DIR: join(folder, "recordings"),
  };
  return spawn(process.execPath, [join(root, "src/cli.ts"), "start"], {
    cwd: folder,
    env,
    stdio: ["ignore", "pipe", "pipe"],
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

async function untilSaid(output: Readable, words: string): Promise<void> {
  const signal = AbortSignal.timeout(WAIT_MS);
  for await (const line of createInterface({ input: output, signal })) {
    if (!line.includes(words)) continue;
    output.resume();
    return;
  }
  throw new Error(`The gateway did not say within ${WAIT_MS / 1000} s: ${words}`);
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
