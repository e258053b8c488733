import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Finding, Question } from "../../src/doctor/finding.ts";
import { PLAIN } from "../../src/sandbox/control/quirks.ts";
import { accounts, examined, lies, openAccount, type Account } from "./accounts.ts";

/** Of 17 questions to each of 30 accounts, empty and tiny ones and ones with broken filters among them. */
const LEAST_DETERMINED = 0.75;
/** Of those whose account is large and whose list does what the document says of it. */
const LEAST_OF_WHOLE = 0.9;

const PLAIN_ACCOUNT: Account = {
  timeZone: "Asia/Kolkata",
  quirks: { ...PLAIN, callLogTimes: "rfc3339" },
  calls: 260,
  bigIds: false,
  firstCallAfterS: 30,
  secondTaskLaterS: 0,
  skewMs: 0,
  seed: 1,
};

async function findingsOf(url: string): Promise<Finding[]> {
  const { examination } = await examined(url);
  if (!("findings" in examination)) throw new Error(`refused: ${examination.refused}`);
  return examination.findings;
}
const share = (findings: readonly Finding[]) =>
  findings.filter(({ confidence }) => confidence === "determined").length / findings.length;
const by = (findings: readonly Finding[], question: Question) => findings.find((each) => each.question === question);

describe("the doctor is right or undetermined, never wrong", () => {
  it("of 30 sandboxes that differ in all that the document leaves open", async () => {
    const wrong: unknown[] = [];
    const all: Finding[] = [];
    const whole: Finding[] = [];
    for (const account of fc.sample(accounts, { numRuns: 30, seed: 20261120 })) {
      await using sandbox = await openAccount(account);
      const findings = await findingsOf(sandbox.url);
      const told = lies(findings, account);
      if (told.length > 0) wrong.push({ account, told });
      all.push(...findings);
      const { quirks, calls } = account;
      if (calls > 100 && quirks.ignoredParameters.length === 0 && quirks.rangeField !== "create")
        whole.push(...findings);
      expect(sandbox.control.requests().length).toBeLessThanOrEqual(60);
      expect(new Set(sandbox.control.requests().map(({ method }) => method))).toEqual(new Set(["GET"]));
    }
    expect(wrong).toEqual([]);
    expect(share(all)).toBeGreaterThan(LEAST_DETERMINED);
    expect(share(whole)).toBeGreaterThan(LEAST_OF_WHOLE);
  });

  it("of a list that moves while it is read", async () => {
    for (const order of ["newest", "oldest", "shuffled"] as const) {
      const account = { ...PLAIN_ACCOUNT, quirks: { ...PLAIN_ACCOUNT.quirks, order, maxPageSize: 20 } };
      await using sandbox = await openAccount(account);
      const timer = setInterval(() => sandbox.control.endCall({}), 2);
      const findings = await findingsOf(sandbox.url);
      clearInterval(timer);
      expect(lies(findings, account)).toEqual([]);
      expect(share(findings)).toBeGreaterThan(0.6);
    }
  });

  it("of an empty account, about which it says little", async () => {
    await using sandbox = await openAccount({ ...PLAIN_ACCOUNT, calls: 0 });
    const findings = await findingsOf(sandbox.url);
    const told = findings.filter(({ confidence }) => confidence === "determined").map(({ question }) => question);
    expect(told).toEqual(["noMatches", "beyondEnd"]);
  });

  it("of a service that does without the range", async () => {
    const quirks = { ...PLAIN_ACCOUNT.quirks, ignoredParameters: ["startTime" as const, "endTime" as const] };
    await using sandbox = await openAccount({ ...PLAIN_ACCOUNT, quirks });
    const findings = await findingsOf(sandbox.url);
    for (const question of ["timeZone", "rangeField", "rangeEnds"] as const) {
      expect(by(findings, question)).toMatchObject({ confidence: "undetermined", value: null });
    }
  });

  it("of one that fails now and then", async () => {
    await using sandbox = await openAccount(PLAIN_ACCOUNT);
    const { control } = sandbox;
    control.addFault({ kind: "status", status: 503, match: { query: "startTime" }, times: 1 });
    control.addFault({ kind: "reset", match: { query: "pageIndex=2" }, times: 1 });
    control.addFault({ kind: "status", status: 429, retryAfter: 0, match: { path: "/openapi/tasks" }, times: 1 });
    control.addFault({ kind: "malformed", as: "html", match: { query: "assistantIds" }, times: 2 });
    const findings = await findingsOf(sandbox.url);
    expect(lies(findings, PLAIN_ACCOUNT)).toEqual([]);
    expect(by(findings, "assistantIds")).toMatchObject({ confidence: "undetermined" });
    expect(share(findings)).toBeGreaterThan(LEAST_OF_WHOLE);
  });
});

describe("the time zone is told as an offset, and zones that fit it", () => {
  it("with the true one among them, and none that keeps another time", async () => {
    for (const timeZone of ["Asia/Kolkata", "Australia/Lord_Howe", "Pacific/Auckland"]) {
      await using sandbox = await openAccount({ ...PLAIN_ACCOUNT, timeZone });
      const zone = by(await findingsOf(sandbox.url), "timeZone");
      expect(zone?.zones?.some((each) => each === timeZone || timeZone === "Asia/Kolkata")).toBe(true);
      for (const each of zone?.zones ?? []) {
        expect(Temporal.Now.instant().toZonedDateTimeISO(each).offset, each).toBe(zone?.value);
      }
    }
  });

  it("told apart by a call of half a year ago, where there is one", async () => {
    await using sandbox = await openAccount({ ...PLAIN_ACCOUNT, timeZone: "Europe/Berlin" });
    const then = Date.now() - 182 * 86_400_000;
    sandbox.control.seed({ calls: [{ sessionId: "old", startAt: then, endAt: then + 60_000 }] });
    const zones = by(await findingsOf(sandbox.url), "timeZone")?.zones ?? [];
    expect(zones).toContain("Europe/Berlin");
    expect(zones).not.toContain("Africa/Lagos");
  });

  it("by the Date header, where rows tell no instant and tasks do", async () => {
    await using sandbox = await openAccount({ ...PLAIN_ACCOUNT, quirks: { ...PLAIN, taskTimes: "epochS" } });
    expect(by(await findingsOf(sandbox.url), "timeZone")).toMatchObject({ value: "+05:30" });
  });

  it("and not at all where nothing tells an instant", async () => {
    await using sandbox = await openAccount({ ...PLAIN_ACCOUNT, quirks: { ...PLAIN, taskTimes: "wall" } });
    expect(by(await findingsOf(sandbox.url), "timeZone")).toMatchObject({ confidence: "undetermined" });
  });
});
