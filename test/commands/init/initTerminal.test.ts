// `switchboard init` on a terminal, which the program `script` gives it.
import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { temporaryDirectory } from "../../support/gateway.ts";
import { onSameClock } from "../../support/sameClock.ts";
import { CLI, TIME_ZONE } from "../../support/sandbox.ts";
import { until } from "../../support/until.ts";

const CTRL_C = "\u0003";
const CTRL_D = "\u0004";
const SECRET = "canary-typed-token";

/** Types each answer when its question is shown. Resolves with what the terminal showed, and the exit code. */
async function answer(folder: string, dialogue: readonly (readonly [question: string, typed: string])[]) {
  const command = `"${process.execPath}" "${CLI}" init`;
  const child = spawn("script", ["--quiet", "--return", "--command", command, "/dev/null"], {
    cwd: folder,
    env: onSameClock({ PATH: process.env["PATH"] ?? "", TERM: "dumb" }),
    stdio: ["pipe", "pipe", "inherit"],
  });
  let shown = "";
  child.stdout.on("data", (chunk: Buffer) => (shown += chunk.toString()));
  const exited = once(child, "close") as Promise<[number | null]>;
  try {
    let from = 0;
    for (const [question, typed] of dialogue) {
      const at = await until(() => {
        const found = shown.indexOf(question, from);
        return found !== -1 && found + question.length;
      });
      from = at;
      child.stdin.write(typed);
    }
    return { shown, code: (await exited)[0], written: () => shown };
  } finally {
    child.kill("SIGKILL");
  }
}

const hasTerminal = String(spawnSync("script", ["--version"]).stdout).includes("util-linux");

describe.skipIf(!hasTerminal)("switchboard init on a terminal", () => {
  it("asks again where an answer cannot be one, and shows no secret that is typed", async () => {
    await using directory = await temporaryDirectory();
    const { code, written } = await answer(directory.path, [
      ["Base address", "https://calls.example\r"],
      ["Time zone", "Beijing\r"],
      ["must be an IANA time zone", `${TIME_ZONE}\r`],
      ["Name by which", "calls.mine.example\r"],
      ["[yes]", "\r"],
      ["[none]", "\r"],
      ["[sqlite]", "\r"],
      ["token itself", `'${SECRET}'\r`],
      ["must not stand in quotes", `${SECRET}\r`],
      ["a new one", "\r"],
    ]);
    expect(code).toBe(0);
    expect(written()).toContain("https://calls.mine.example/calllog");
    expect(written()).not.toContain(SECRET);
    expect(readFileSync(join(directory.path, "secrets/upstream-token"), "utf8")).toBe(`${SECRET}\n`);
  });

  it("takes a token that begins like a path, when it is given a second time and there is no such file", async () => {
    await using directory = await temporaryDirectory();
    const token = `/${SECRET}`;
    const { code, written } = await answer(directory.path, [
      ["Base address", "https://calls.example\r"],
      ["Time zone", `${TIME_ZONE}\r`],
      ["Name by which", "\r"],
      ["[no]", "\r"],
      ["[none]", "\r"],
      ["[sqlite]", "\r"],
      ["token itself", `${token}\r`],
      ["If it is the secret itself, give it once more", `${token}\r`],
      ["a new one", "\r"],
    ]);
    expect([code, written().includes(SECRET)]).toEqual([0, false]);
    expect(readFileSync(join(directory.path, "secrets/upstream-token"), "utf8")).toBe(`${token}\n`);
  });

  // https://github.com/superfly/flyctl/issues/7, https://github.com/vibe-d/vibe.d/issues/1520
  it.each([
    ["Ctrl C", CTRL_C],
    ["the end of the input", CTRL_D],
  ])("writes nothing after %s, also while a secret is asked for", async (_, typed) => {
    await using directory = await temporaryDirectory();
    const service = [
      ["Base address", "https://calls.example\r"],
      ["Time zone", `${TIME_ZONE}\r`],
    ] as const;
    const defaults = [
      ["Name by", "\r"],
      ["[no]", "\r"],
      ["[none]", "\r"],
      ["[sqlite]", "\r"],
    ] as const;
    for (const dialogue of [[["Base address", typed]], [...service, ...defaults, ["token itself", typed]]] as const) {
      const { code, written } = await answer(directory.path, dialogue);
      expect([code, written()]).toEqual([130, expect.stringContaining("Cancelled: nothing was written.")]);
    }
    expect(readdirSync(directory.path)).toEqual([]);
  });
});
