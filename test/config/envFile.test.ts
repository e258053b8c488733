// Files of variables as people and their programs write them. Each row names where the form was met.
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { parseEnv } from "node:util";
import { assert, constantFrom, property, string } from "fast-check";
import { describe, expect, it } from "vitest";
import { envLine, loadEnvFile, parseEnvFile } from "../../src/config/envFile.ts";
import { FinalError } from "../../src/util/start/finalError.ts";
import { temporaryDirectory } from "../support/gateway.ts";

const read = (text: string) => parseEnvFile(text, ".env");

/** The form, the text, what it gives, where it was met. */
const READ: readonly [string, string, Record<string, string>, string][] = [
  [
    "comments and empty lines",
    "# of the service\n\nA=1\n  # end",
    { A: "1" },
    "https://github.com/grimen/node-env-file/pull/3",
  ],
  [
    "line breaks of Windows and of an old Mac",
    "A=1\r\nB=2\rC=3",
    { A: "1", B: "2", C: "3" },
    "https://github.com/vlucas/phpdotenv/issues/282",
  ],
  [
    "a file for a shell",
    "export A=1\nexport  B='2'",
    { A: "1", B: "2" },
    "https://github.com/mvanhorn/last30days-skill/pull/938",
  ],
  ["blanks around the equals sign", "A = 1 ", { A: "1" }, "https://github.com/nodejs/node/issues/49148"],
  [
    "a comment behind a value",
    "A=50 # each minute\nB='x' # or \"y\"",
    { A: "50", B: "x" },
    "https://github.com/nodejs/node/issues/51508",
  ],
  ["a # between quotes", "A='p#ss'\nB=\"#x\"", { A: "p#ss", B: "#x" }, "https://github.com/motdotla/dotenv/pull/608"],
  ["a $ between single quotes", "A='$2a$08$x'", { A: "$2a$08$x" }, "https://github.com/docker/compose/issues/11058"],
  [
    "the other kind of quotes inside",
    'A=\'{"key": "value"}\'\nB="it\'s"',
    { A: '{"key": "value"}', B: "it's" },
    "https://github.com/docker/compose/issues/12174",
  ],
  [
    "several lines between quotes, with blanks at the end of one",
    'A="-----BEGIN  \nEND" # key\nB=2',
    { A: "-----BEGIN  \nEND", B: "2" },
    "https://github.com/nodejs/node/pull/52735",
  ],
  ["an equals sign in a value", "A=a=b==", { A: "a=b==" }, "https://github.com/nodejs/node/pull/52735"],
  ["empty values", "A=\nB=''\nC= # none", { A: "", B: "", C: "" }, "https://github.com/nodejs/node/pull/52735"],
  ["a line that was appended", "A=1\nA=2", { A: "2" }, "https://github.com/nodejs/node/issues/49148"],
];

/** The form, the text, the problem, where programs were met that read it differently. */
const REFUSED: readonly [string, string, string, string][] = [
  [
    "a # without a blank in front",
    "A=canary#1",
    "line 1 (A) has a #",
    "https://github.com/forklaunch/forklaunch/pull/191",
  ],
  ["a # at the start", "A=#canary", "line 1 (A) begins with a #", "https://github.com/motdotla/dotenv/pull/608"],
  [
    "a $ that Docker Compose replaces",
    "A=canary$x",
    "line 1 (A) has a $",
    "https://github.com/docker/compose/issues/11058",
  ],
  [
    "a reference to another variable",
    'A=1\nB="canary${A}"',
    "line 2 (B) has a $",
    "https://github.com/docker/cli/issues/4347",
  ],
  ["an escaped quote", 'A="a\\"canary"', "line 1 (A) has a \\", "https://github.com/nodejs/node/issues/54134"],
  [
    "a text behind the quotes",
    'A="a"canary',
    "line 1 (A) has a text after",
    "https://github.com/nodejs/node/issues/54134",
  ],
  [
    "a quote that nothing ends",
    'A="canary\nB=2',
    "line 1 (A) has no second quote",
    "https://github.com/motdotla/dotenv/pull/608",
  ],
  [
    "a quote inside of a value",
    'A=Bearer "canary"',
    "line 1 (A) has a quote",
    "https://github.com/docker/cli/issues/3630",
  ],
  [
    "a \\ without quotes",
    "A=c:\\canary",
    "line 1 (A) has a quote, a backtick or a \\",
    "https://github.com/motdotla/dotenv/issues/468",
  ],
  ["backticks", "A=`canary`", "line 1 (A) stands in backticks", "https://github.com/nodejs/node/pull/52735"],
  [
    "a colon in place of the equals sign",
    "A: canary",
    "line 1 is not NAME=value",
    "https://github.com/motdotla/dotenv/pull/608",
  ],
  ["a name alone", "A=1\ncanary", "line 2 is not NAME=value", "https://github.com/docker/compose/issues/5544"],
];

describe("a file of variables", () => {
  it.each(READ)("is read as Node reads it: %s", (_form, text, expected) => {
    expect(read(text)).toEqual(expected);
    // Node takes a carriage return for a part of a value.
    expect({ ...parseEnv(text.replaceAll(/\r\n?/g, "\n")) }).toEqual(expected);
  });

  it.each(REFUSED)("is refused with the line where programs read it differently: %s", (_form, text, problem) => {
    expect(() => read(text)).toThrow(FinalError);
    expect(() => read(text)).toThrow(problem);
    expect(() => read(text)).not.toThrow("canary");
  });

  it("names every bad line in one error", () => {
    expect(() => read("A=$B\nB=1\nC")).toThrow(/^\.env cannot be used:\n {2}line 1 .*\n {2}line 3 .*$/);
  });

  it("gives the value back that was written, to this reader and to Node's", () => {
    const signs = Array.from(`ab1 #$\\"'\`{}=:/`);
    const value = string({ unit: constantFrom(...signs), minLength: 1 }).filter((text) => text.trim() === text);
    assert(
      property(value, (text) => {
        const line = envLine("A", text);
        if (line === null) return text.includes("'") && /["$\\`]/.test(text);
        expect(read(`${line}\nB=2`)).toEqual({ A: text, B: "2" });
        expect({ ...parseEnv(`${line}\nB=2`) }).toEqual({ A: text, B: "2" });
        return true;
      }),
    );
  });
});

/** The environment of a program beside such a file. */
async function load(content: string | Buffer, env: NodeJS.ProcessEnv = {}) {
  await using directory = await temporaryDirectory();
  const file = join(directory.path, "settings");
  writeFileSync(file, content);
  env["SWITCHBOARD_ENV_FILE"] = file;
  const { names, warnings } = loadEnvFile(env) ?? { names: [], warnings: [] };
  delete env["SWITCHBOARD_ENV_FILE"];
  return { env, names, warnings };
}

describe("the environment of a command", () => {
  // https://github.com/denoland/deno/issues/36701, https://github.com/docker/compose/issues/5220
  it("gets the first variable of a file with a byte order mark", async () => {
    expect((await load("\uFEFFPORT=1\nHOST=::1")).env).toEqual({ PORT: "1", HOST: "::1" });
  });

  // https://github.com/motdotla/dotenv/issues/445
  it("gets the variables of a file that PowerShell wrote in UTF-16", async () => {
    const file = Buffer.concat([Buffer.from([0xff, 0xfe]), Buffer.from("PORT=1\r\n", "utf16le")]);
    expect((await load(file)).env).toEqual({ PORT: "1" });
  });

  it("keeps its own variables, also an empty one", async () => {
    const { env, names } = await load("PORT=1\nHOST=a\nCORS_ORIGINS=b", { PORT: "2", CORS_ORIGINS: "" });
    expect([env, names]).toEqual([{ PORT: "2", HOST: "a", CORS_ORIGINS: "" }, ["HOST"]]);
  });

  it("keeps its own secret where the file names another file for it, and the other way round", async () => {
    const own = { UPSTREAM_TOKEN: "own", WEBHOOK_AUTHORIZATION_FILE: "own" };
    const { env } = await load("UPSTREAM_TOKEN_FILE=./a\nWEBHOOK_AUTHORIZATION=b", { ...own });
    expect(env).toEqual(own);
  });

  it("keeps an empty secret of its own, a proxy in lower case, and pairs no other names", async () => {
    const own = { PGPASSWORD: "", https_proxy: "http://a.example", API_KEYS: "of another program" };
    const { env } = await load("PGPASSWORD_FILE=./a\nHTTPS_PROXY=http://b.example\nAPI_KEYS_FILE=keys.json", {
      ...own,
    });
    expect(env).toEqual({ ...own, API_KEYS_FILE: "keys.json" });
  });

  // https://nodejs.org/api/cli.html#node_tls_reject_unauthorizedvalue
  it("switches off no check of certificates", async () => {
    const { env, names, warnings } = await load("NODE_TLS_REJECT_UNAUTHORIZED=0");
    expect([env, names]).toEqual([{}, []]);
    expect(warnings).toEqual([expect.stringMatching(/^NODE_TLS_REJECT_UNAUTHORIZED is not taken from/)]);
  });

  // https://github.com/nodejs/node/issues/51426
  it("is warned of variables that Node has read before", async () => {
    const { warnings } = await load("NODE_EXTRA_CA_CERTS=/ca.pem\nNODE_ENV=production");
    expect(warnings).toEqual([expect.stringMatching(/^NODE_EXTRA_CA_CERTS is not taken from/)]);
  });

  it("refuses a file that it names and that is not there, or is too large to be one", async () => {
    await using directory = await temporaryDirectory();
    expect(() => loadEnvFile({ SWITCHBOARD_ENV_FILE: join(directory.path, "none") })).toThrow(
      /none cannot be read \(ENOENT\)/,
    );
    await expect(load("#".repeat(300_000))).rejects.toThrow("has more than 262144 bytes");
  });

  // Python keeps packages in such a folder: https://github.com/docker/compose/issues/8703. Docker makes one where a file to mount is
  // missing: https://github.com/beromir/Servas/issues/32
  it("gets nothing from a folder of the name, and a warning", async () => {
    await using directory = await temporaryDirectory();
    mkdirSync(join(directory.path, ".env"));
    const before = process.cwd();
    process.chdir(directory.path);
    try {
      expect(loadEnvFile({})).toEqual({ file: ".env", names: [], warnings: [expect.stringContaining("is a folder")] });
    } finally {
      process.chdir(before);
    }
  });
});
