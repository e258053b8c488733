import { describe, expect, it } from "vitest";
import { createGatewayClient } from "../../src/commands/remote/gatewayClient.ts";
import { readConfig, variables, type ConfigError } from "../../src/config/config.ts";
import { readDoctorConfig } from "../../src/doctor/doctorConfig.ts";
import { problems, upstream } from "./environment.ts";
import { companionsOf, fileOf, samples } from "./samples.ts";

const names = Object.keys(variables) as (keyof typeof variables)[];

/** What env files, secrets, spreadsheets and web pages put around a value. */
const invisible = {
  blank: " ",
  "line break": "\n",
  "carriage return": "\r\n",
  tab: "\t",
  "no-break space": "\u00a0",
  "narrow no-break space": "\u202f",
  "ideographic space": "\u3000",
  "zero-width space": "\u200b",
  "word joiner": "\u2060",
  "byte order mark": "\ufeff",
  "left-to-right mark": "\u200e",
  "right-to-left embedding": "\u202b",
  "isolate and its end": "\u2066\u2069",
  "soft hyphen": "\u00ad",
};

const quotes = ['""', "''", "``", "“”", "‘’", "„“", "«»", "”“"];

describe("Each variable", () => {
  it.each(names)("%s is read without what is invisible around it", (name) => {
    const env = companionsOf(name);
    const expected = readConfig({ ...env, [name]: samples[name] });
    for (const [what, text] of Object.entries(invisible)) {
      for (const value of [samples[name] + text, text + samples[name], `${text}\n${samples[name]} ${text}`])
        expect([what, readConfig({ ...env, [name]: value })]).toEqual([what, expected]);
    }
  });

  it.each(names)("%s counts as not set where it has only what is invisible", (name) => {
    const env = companionsOf(name);
    for (const text of Object.values(invisible))
      expect(problems({ ...env, [name]: text })).toEqual(problems({ ...env, [name]: "" }));
  });

  it.each(names)("%s is refused by its name in quotes, and with a control character inside", (name) => {
    const env = companionsOf(name);
    const middle = Math.ceil(samples[name].length / 2);
    const inside = (text: string) => samples[name].slice(0, middle) + text + samples[name].slice(middle);
    const bad = [...quotes.map((pair) => pair[0] + samples[name] + pair[1]), ...["\n", "\r", "\u0007"].map(inside)];
    for (const value of [...bad, '"', samples[name] + "\u001b"]) {
      const found = problems({ ...env, [name]: value });
      expect([value, found.some((problem) => problem.startsWith(`${name} must not `))]).toEqual([value, true]);
      if (samples[name].length > 5) expect(found.join("\n")).not.toContain(samples[name]);
    }
  });
});

describe("A quote or an invisible character", () => {
  it("at one end is refused in a path, which would be another one, and kept in a secret and a name", () => {
    expect(problems({ RECORDINGS_DIR: './recordings"' })).toEqual([
      "RECORDINGS_DIR must not begin or end with a quote",
    ]);
    expect(problems({ DATABASE_URL: "file:./calls\u200b.db" })).toEqual([
      "DATABASE_URL must not have an invisible character inside",
    ]);
    const env = { ...upstream, UPSTREAM_TOKEN: `"x'y`, AUTH: "none", KNOWN_LINES: `60=Line "B"` };
    expect(readConfig(env)).toMatchObject({ upstream: { token: `"x'y` }, named: { lines: [{ name: `Line "B"` }] } });
  });

  it("that joins emoji or letters stays in the name of an assistant", () => {
    const name = "\u{1f469}\u200d\u{1f4bb} می\u200cخواهم";
    expect(readConfig({ KNOWN_ASSISTANTS: `11=${name}` }).named.assistants).toEqual([{ id: "11", name }]);
  });
});

describe("The variables of the commands", () => {
  const problemsOf = (run: () => unknown): readonly string[] => {
    try {
      run();
      return [];
    } catch (error) {
      return (error as ConfigError).problems;
    }
  };

  it("of the doctor are read in the same way", () => {
    const env = { UPSTREAM_URL: " https://calls.example\r\n", UPSTREAM_TOKEN: "\ufefftoken\n" };
    expect(readDoctorConfig(env)).toMatchObject({ url: "https://calls.example", token: "token" });
    expect(readDoctorConfig({ ...env, UPSTREAM_TOKEN: "", UPSTREAM_TOKEN_FILE: fileOf("doctor", "t") }).token).toBe(
      "t",
    );
    expect(problemsOf(() => readDoctorConfig({ ...env, UPSTREAM_TOKEN: '"canary"' }))).toEqual([
      "UPSTREAM_TOKEN must not stand in quotes: files for docker --env-file and Kubernetes keep them",
    ]);
    expect(problemsOf(() => readDoctorConfig({ UPSTREAM_URL: "\n" }))).toEqual([
      "UPSTREAM_URL is needed to examine the service",
      "UPSTREAM_TOKEN is needed to examine the service",
    ]);
  });

  it("of the clients of a gateway are read in the same way", () => {
    expect(
      problemsOf(() => createGatewayClient(undefined, { PORT: "4000\r", SWITCHBOARD_KEY: "\u200bkey\n" })),
    ).toEqual([]);
    expect(problemsOf(() => createGatewayClient(undefined, { SWITCHBOARD_KEY: "“canary”" }))).toHaveLength(1);
    expect(problemsOf(() => createGatewayClient(undefined, { SWITCHBOARD_KEY_FILE: "/nowhere/canary" }))).toEqual([
      "SWITCHBOARD_KEY_FILE names a file that cannot be read (ENOENT)",
    ]);
  });
});
