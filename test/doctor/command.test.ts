import { describe, expect, it } from "vitest";
import { startProgram, type Environment } from "../support/program.ts";
import { CLI, startSandbox, TIME_ZONE, TOKEN } from "../support/sandbox.ts";

async function doctor(env: Environment, ...more: string[]) {
  await using program = startProgram([CLI, "doctor", ...more], env);
  const code = await program.exited;
  return { code, out: program.output.join("\n"), told: program.told() };
}

describe("switchboard doctor needs an address and a token, and says what it found", () => {
  it("as a table with the settings to use, and never a number, the token or a text of the service", async () => {
    await using sandbox = await startSandbox();
    const ignoredParameters = ["description", "phone"];
    await sandbox.control("PATCH", "quirks", {
      callLogTimes: "rfc3339",
      assistantIdsEncoding: "repeat",
      ignoredParameters,
    });
    await sandbox.forget();
    const env = { UPSTREAM_URL: `${sandbox.url}/`, UPSTREAM_TOKEN: TOKEN, UPSTREAM_TIME_ZONE: TIME_ZONE };
    const { code, out, told } = await doctor(env);
    expect([code, told]).toEqual([0, ""]);
    expect(out).toContain(`UPSTREAM_TIME_ZONE=${TIME_ZONE}   # it is set, and agrees`);
    expect(out).toContain("UPSTREAM_ASSISTANT_IDS=repeat");
    expect(out).toContain("UPSTREAM_RANGE_FIELD=startAt");
    expect(out).toContain("UPSTREAM_IGNORES=phone,kind");
    const requests = await sandbox.requests();
    expect(out).toContain(`determined, with ${requests.length} requests, all of them GET.`);
    expect(new Set(requests.map(({ method }) => method))).toEqual(new Set(["GET"]));
    expect(out).not.toContain(TOKEN);
    expect(out).not.toMatch(/\d{7}|A0\d\d|[一-鿿]/);
  });

  it("also of a zone that is set and cannot be it, where several are left", async () => {
    await using sandbox = await startSandbox();
    const env = { UPSTREAM_URL: sandbox.url, UPSTREAM_TOKEN: TOKEN, UPSTREAM_TIME_ZONE: "America/New_York" };
    const { out } = await doctor(env);
    expect(out).toContain("UPSTREAM_TIME_ZONE is set to a zone that contradicts what was seen.");
  });

  it("as one JSON line", async () => {
    await using sandbox = await startSandbox();
    const { code, out } = await doctor({ UPSTREAM_URL: sandbox.url, UPSTREAM_TOKEN: TOKEN }, "--json");
    const told = JSON.parse(out) as { requests: number; findings: unknown[]; settings: string[] };
    expect(code).toBe(0);
    expect(told.requests).toBeLessThanOrEqual(60);
    expect(told.findings).toContainEqual(expect.objectContaining({ question: "rangeField", value: "startAt" }));
    expect(told.settings).toContain("UPSTREAM_ASSISTANT_IDS=comma");
  });
});

describe("switchboard doctor says why it found nothing", () => {
  it("with 1 where the service is not reached, or does not accept the token", async () => {
    const away = await doctor({ UPSTREAM_URL: "http://127.0.0.1:9", UPSTREAM_TOKEN: TOKEN });
    expect([away.code, away.told]).toEqual([1, "The service could not be reached.\n"]);
    await using sandbox = await startSandbox();
    const refused = await doctor({ UPSTREAM_URL: sandbox.url, UPSTREAM_TOKEN: "another" });
    expect([refused.code, refused.told]).toEqual([1, "The service does not accept UPSTREAM_TOKEN: it answered 401.\n"]);
    const elsewhere = await doctor({ UPSTREAM_URL: `${sandbox.url}/v2`, UPSTREAM_TOKEN: TOKEN });
    expect([elsewhere.code, elsewhere.told]).toEqual([
      1,
      expect.stringContaining("404. Is UPSTREAM_URL its base address?"),
    ]);
  });

  it("with 78 where the configuration is bad, naming each variable and no value", async () => {
    const nothing = await doctor({});
    expect([nothing.code, nothing.told]).toEqual([
      78,
      expect.stringMatching(/UPSTREAM_URL is needed.*\n.*UPSTREAM_TOKEN is needed/),
    ]);
    const bad = await doctor({
      UPSTREAM_URL: "ftp://secret.example",
      UPSTREAM_TOKEN: TOKEN,
      UPSTREAM_TIME_ZONE: "Mars",
    });
    expect([bad.code, bad.told]).toEqual([
      78,
      expect.stringMatching(/UPSTREAM_URL must be.*\n.*UPSTREAM_TIME_ZONE must be/),
    ]);
    expect(bad.told).not.toMatch(/secret|Mars/);
  });
});
