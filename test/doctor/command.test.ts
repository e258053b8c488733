import { describe, expect, it } from "vitest";
import { startProgram, type Environment } from "../support/program.ts";
import { CLI, startSandbox, TIME_ZONE, TOKEN } from "../support/sandbox.ts";

async function doctor(env: Environment, ...more: string[]) {
  await using program = startProgram([CLI, "doctor", ...more], env);
  const code = await program.exited;
  return { code, out: program.output.join("\n"), stderr: program.stderr() };
}

describe("switchboard doctor", () => {
  it("prints a table and settings without phone numbers, the token or texts of the service", async () => {
    await using sandbox = await startSandbox();
    const ignoredParameters = ["description", "phone"];
    await sandbox.control("PATCH", "quirks", {
      callLogTimes: "rfc3339",
      assistantIdsEncoding: "repeat",
      ignoredParameters,
    });
    await sandbox.forget();
    const env = { UPSTREAM_URL: `${sandbox.url}/`, UPSTREAM_TOKEN: TOKEN, UPSTREAM_TIME_ZONE: TIME_ZONE };
    const { code, out, stderr } = await doctor(env);
    expect([code, stderr]).toEqual([0, ""]);
    expect(out).toContain(`UPSTREAM_TIME_ZONE=${TIME_ZONE}   # already set, and it agrees`);
    expect(out).toContain("UPSTREAM_ASSISTANT_IDS=repeat");
    expect(out).toContain("UPSTREAM_RANGE_FIELD=startAt");
    expect(out).toContain("UPSTREAM_IGNORES=phone,kind");
    const requests = await sandbox.requests();
    expect(out).toContain(`determined, with ${requests.length} requests, all of them GET.`);
    expect(new Set(requests.map(({ method }) => method))).toEqual(new Set(["GET"]));
    expect(out).not.toContain(TOKEN);
    expect(out).not.toMatch(/\d{7}|A0\d\d|[一-鿿]/);
  });

  it("warns that the configured zone contradicts the findings", async () => {
    await using sandbox = await startSandbox();
    const env = { UPSTREAM_URL: sandbox.url, UPSTREAM_TOKEN: TOKEN, UPSTREAM_TIME_ZONE: "America/New_York" };
    const { code, out } = await doctor(env);
    expect(out).toContain("UPSTREAM_TIME_ZONE is set to a zone that contradicts the findings.");
    expect(code).toBe(78);
  });

  it("prints the encodings that are applied, and warns of another one that is set", async () => {
    await using sandbox = await startSandbox();
    await sandbox.control("PATCH", "quirks", { assistantIdsEncoding: "repeat", foreignEncoding: "nothing" });
    const env = { UPSTREAM_URL: sandbox.url, UPSTREAM_TOKEN: TOKEN, UPSTREAM_ASSISTANT_IDS: "comma" };
    const { code, out } = await doctor(env);
    expect(out).toMatch(/Encodings of assistantIds +repeat +.*comma: finds nothing, repeat: applied/);
    expect(out).toContain("# UPSTREAM_ASSISTANT_IDS is set to comma, which the service does not read.");
    expect(out).toContain("UPSTREAM_ASSISTANT_IDS=repeat");
    expect(code).toBe(78);
  });

  it("prints one JSON line with --json", async () => {
    await using sandbox = await startSandbox();
    const { code, out } = await doctor({ UPSTREAM_URL: sandbox.url, UPSTREAM_TOKEN: TOKEN }, "--json");
    const report = JSON.parse(out) as { requests: number; findings: unknown[]; settings: string[] };
    expect(code).toBe(0);
    expect(report.requests).toBeLessThanOrEqual(60);
    expect(report.findings).toContainEqual(expect.objectContaining({ question: "rangeField", value: "startAt" }));
    expect(report.settings).toContain("UPSTREAM_ASSISTANT_IDS=comma");
  });

  it("exits with 1 if the service cannot be reached, refuses the token or has no call list", async () => {
    const away = await doctor({ UPSTREAM_URL: "http://127.0.0.1:9", UPSTREAM_TOKEN: TOKEN });
    expect([away.code, away.stderr]).toEqual([1, "The service could not be reached. Try again later.\n"]);
    await using sandbox = await startSandbox();
    const refused = await doctor({ UPSTREAM_URL: sandbox.url, UPSTREAM_TOKEN: "another" });
    expect([refused.code, refused.stderr]).toEqual([
      1,
      "The service refused UPSTREAM_TOKEN with HTTP 401. Check the token.\n",
    ]);
    const elsewhere = await doctor({ UPSTREAM_URL: `${sandbox.url}/v2`, UPSTREAM_TOKEN: TOKEN });
    expect([elsewhere.code, elsewhere.stderr]).toEqual([
      1,
      expect.stringContaining("404. Is UPSTREAM_URL its base address?"),
    ]);
  });

  it("exits with 78 for a bad configuration, and names each bad variable without its value", async () => {
    const nothing = await doctor({});
    expect([nothing.code, nothing.stderr]).toEqual([
      78,
      expect.stringMatching(/UPSTREAM_URL is needed.*\n.*UPSTREAM_TOKEN is needed/),
    ]);
    const bad = await doctor({
      UPSTREAM_URL: "ftp://secret.example",
      UPSTREAM_TOKEN: TOKEN,
      UPSTREAM_TIME_ZONE: "Mars",
    });
    expect([bad.code, bad.stderr]).toEqual([
      78,
      expect.stringMatching(/UPSTREAM_URL must be.*\n.*UPSTREAM_TIME_ZONE must be/),
    ]);
    expect(bad.stderr).not.toMatch(/secret|Mars/);
  });
});
