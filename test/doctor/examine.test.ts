import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Finding, Question } from "../../src/doctor/finding.ts";
import { DEFAULT_QUIRKS } from "../../sandbox/src/control/quirks.ts";
import { accounts, examineUrl, wrongFindings, openAccount, type Account } from "./accounts.ts";

/** Share of 17 questions for each of 30 accounts; some are empty, tiny, or ignore filters. */
const MIN_DETERMINED = 0.75;
/** The same share for large accounts whose list does what service.md says. */
const MIN_DETERMINED_OF_LARGE = 0.9;

const PLAIN_ACCOUNT: Account = {
  timeZone: "Asia/Kolkata",
  quirks: { ...DEFAULT_QUIRKS, callLogTimes: "rfc3339" },
  calls: 260,
  bigIds: false,
  firstCallAfterS: 30,
  secondTaskLaterS: 0,
  skewMs: 0,
  seed: 1,
};

async function findingsOf(url: string): Promise<Finding[]> {
  const { examination } = await examineUrl(url);
  if (!("findings" in examination)) throw new Error(`refused: ${examination.refusedStatus}`);
  return examination.findings;
}
const share = (findings: readonly Finding[]) =>
  findings.filter(({ confidence }) => confidence === "determined").length / findings.length;
const by = (findings: readonly Finding[], question: Question) => findings.find((each) => each.question === question);

describe("the doctor's findings", () => {
  it("are correct or undetermined for 30 sandboxes with random quirks", async () => {
    const wrong: unknown[] = [];
    const all: Finding[] = [];
    const large: Finding[] = [];
    for (const account of fc.sample(accounts, { numRuns: 30, seed: 20261120 })) {
      await using sandbox = await openAccount(account);
      const findings = await findingsOf(sandbox.url);
      const mistakes = wrongFindings(findings, account);
      if (mistakes.length > 0) wrong.push({ account, mistakes });
      all.push(...findings);
      const { quirks, calls } = account;
      if (calls > 100 && quirks.ignoredParameters.length === 0 && quirks.rangeField !== "create")
        large.push(...findings);
      expect(sandbox.control.requests().length).toBeLessThanOrEqual(60);
      expect(new Set(sandbox.control.requests().map(({ method }) => method))).toEqual(new Set(["GET"]));
    }
    expect(wrong).toEqual([]);
    expect(share(all)).toBeGreaterThan(MIN_DETERMINED);
    expect(share(large)).toBeGreaterThan(MIN_DETERMINED_OF_LARGE);
  });

  it("are correct for a list that grows while it is read", async () => {
    for (const order of ["newest", "oldest", "shuffled"] as const) {
      const account = { ...PLAIN_ACCOUNT, quirks: { ...PLAIN_ACCOUNT.quirks, order, maxPageSize: 20 } };
      await using sandbox = await openAccount(account);
      const timer = setInterval(() => sandbox.control.endCall({}), 2);
      const findings = await findingsOf(sandbox.url);
      clearInterval(timer);
      expect(wrongFindings(findings, account)).toEqual([]);
      expect(share(findings)).toBeGreaterThan(0.6);
    }
  });

  it("are mostly undetermined for an empty account", async () => {
    await using sandbox = await openAccount({ ...PLAIN_ACCOUNT, calls: 0 });
    const findings = await findingsOf(sandbox.url);
    const answered = findings.filter(({ confidence }) => confidence === "determined").map(({ question }) => question);
    expect(answered).toEqual(["noMatches", "beyondEnd"]);
  });

  it("leave range and time zone undetermined if the service ignores the range", async () => {
    const quirks = { ...PLAIN_ACCOUNT.quirks, ignoredParameters: ["startTime" as const, "endTime" as const] };
    await using sandbox = await openAccount({ ...PLAIN_ACCOUNT, quirks });
    const findings = await findingsOf(sandbox.url);
    for (const question of ["timeZone", "rangeField", "rangeEnds"] as const) {
      expect(by(findings, question)).toMatchObject({ confidence: "undetermined", value: null });
    }
  });

  it("name the encodings of assistantIds of which the service reads the first id alone", async () => {
    const quirks = { ...PLAIN_ACCOUNT.quirks, assistantIdsEncoding: "comma", foreignEncoding: "first" } as const;
    await using sandbox = await openAccount({ ...PLAIN_ACCOUNT, quirks });
    const finding = by(await findingsOf(sandbox.url), "assistantIds");
    expect(finding).toMatchObject({ confidence: "determined", value: "comma" });
    expect(finding?.evidence).toContain("comma: applied, repeat: first only, brackets: first only");
  });

  it("are correct for a service that fails now and then", async () => {
    await using sandbox = await openAccount(PLAIN_ACCOUNT);
    const { control } = sandbox;
    control.addFault({ kind: "status", status: 503, match: { query: "startTime" }, times: 1 });
    control.addFault({ kind: "reset", match: { query: "pageIndex=2" }, times: 1 });
    control.addFault({ kind: "status", status: 429, retryAfter: 0, match: { path: "/openapi/tasks" }, times: 1 });
    control.addFault({ kind: "malformed", as: "html", match: { query: "assistantIds" }, times: 2 });
    const findings = await findingsOf(sandbox.url);
    const others = findings.filter(({ question }) => question !== "assistantIds");
    expect(wrongFindings(others, PLAIN_ACCOUNT)).toEqual([]);
    // The one of three encodings whose answers were no JSON is unknown.
    expect(by(findings, "assistantIds")).toMatchObject({ confidence: "determined", value: "repeat, brackets" });
    expect(share(findings)).toBeGreaterThan(MIN_DETERMINED_OF_LARGE);
  });
});

describe("the finding on the time zone", () => {
  it("names the true zone, and no zone with another offset", async () => {
    for (const timeZone of ["Asia/Kolkata", "Australia/Lord_Howe", "Pacific/Auckland"]) {
      await using sandbox = await openAccount({ ...PLAIN_ACCOUNT, timeZone });
      const zone = by(await findingsOf(sandbox.url), "timeZone");
      expect(zone?.zones?.some((each) => each === timeZone || timeZone === "Asia/Kolkata")).toBe(true);
      for (const each of zone?.zones ?? []) {
        expect(Temporal.Now.instant().toZonedDateTimeISO(each).offset, each).toBe(zone?.value);
      }
    }
  });

  it("excludes zones by a call of half a year ago", async () => {
    await using sandbox = await openAccount({ ...PLAIN_ACCOUNT, timeZone: "Europe/Berlin" });
    const then = Date.now() - 182 * 86_400_000;
    sandbox.control.seed({ calls: [{ sessionId: "old", startAt: then, endAt: then + 60_000 }] });
    const zones = by(await findingsOf(sandbox.url), "timeZone")?.zones ?? [];
    expect(zones).toContain("Europe/Berlin");
    expect(zones).not.toContain("Africa/Lagos");
  });

  it("uses the Date header if only tasks show instants", async () => {
    await using sandbox = await openAccount({ ...PLAIN_ACCOUNT, quirks: { ...DEFAULT_QUIRKS, taskTimes: "epochS" } });
    expect(by(await findingsOf(sandbox.url), "timeZone")).toMatchObject({ value: "+05:30" });
  });

  it("is undetermined if nothing shows an instant", async () => {
    await using sandbox = await openAccount({ ...PLAIN_ACCOUNT, quirks: { ...DEFAULT_QUIRKS, taskTimes: "wall" } });
    expect(by(await findingsOf(sandbox.url), "timeZone")).toMatchObject({ confidence: "undetermined" });
  });
});
