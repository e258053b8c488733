// The policies of tokens: their claim, TOKEN_POLICY_FILE, and what several policies of one viewer give together.
import { rename, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { createTokenReader } from "../../src/auth/jwt.ts";
import { createSessions } from "../../src/auth/sessions.ts";
import { openTokenPolicies } from "../../src/auth/tokenPolicies.ts";
import { createCombinePolicies } from "../../src/auth/viewerPolicy.ts";
import { createLogger } from "../../src/logger.ts";
import { createSigner } from "../../src/util/hmac.ts";
import { temporaryDirectory, type Directory } from "../support/gateway.ts";
import { AUDIENCE, ISSUER, startIdentityProvider } from "../support/identityProvider.ts";
import { until } from "../support/until.ts";

let provider: Awaited<ReturnType<typeof startIdentityProvider>>;
let directory: Directory;
beforeAll(async () => {
  [provider, directory] = await Promise.all([startIdentityProvider(), temporaryDirectory()]);
});
afterAll(async () => {
  await Promise.all([provider, directory].map((part) => part[Symbol.asyncDispose]()));
});

/** Reads tokens with a policy file of these entries; null: without a file. */
async function reading(entries: object[] | null) {
  const combine = createCombinePolicies();
  const lines: string[] = [];
  const log = createLogger({ level: "warn", secrets: [], write: (line) => lines.push(line) });
  const file = entries && join(directory.path, "policies.json");
  /** At once, so that no poll finds a part of it. */
  async function write(content: object[]): Promise<void> {
    await writeFile(`${file}.new`, JSON.stringify(content));
    await rename(`${file}.new`, file ?? "");
  }
  if (entries) await write(entries);
  const policies = await openTokenPolicies(file, { combine, issuer: ISSUER, log, pollIntervalMs: 5 });
  const reader = createTokenReader({ jwksUrl: provider.url, issuer: ISSUER, audience: AUDIENCE, policies, log });
  const sessions = createSessions(null, createSigner(Buffer.alloc(32, 5)), Date.now, { policies, combine });
  onTestFinished(() => {
    reader[Symbol.dispose]();
    return policies[Symbol.asyncDispose]();
  });
  const grant = async (claims: Record<string, unknown>) => reader.read(await provider.token(claims));
  const limits = async (claims: Record<string, unknown>) => {
    const viewer = (await grant(claims))?.viewer();
    return viewer ? viewer.limits : "refused";
  };
  return { grant, limits, sessions, write, lines };
}

describe("The claim switchboard of a token", () => {
  it("gives the viewer its limits, and equal claims one object", async () => {
    const { limits } = await reading(null);
    const claim = { limits: { lineIds: ["60", "61"], tasksPerDay: 5 } };
    const found = await limits({ switchboard: claim, sub: "a" });
    expect(found).toEqual(claim.limits);
    expect(await limits({ switchboard: { limits: { tasksPerDay: 5, lineIds: ["61", "60"] } }, sub: "b" })).toBe(found);
    expect([await limits({}), await limits({ switchboard: {} })]).toEqual([null, null]);
  });

  it.each([
    ["a text", "limits", "it must be an object"],
    ["a list", [], "it must be an object"],
    ["null", null, "it must be an object"],
    ["an unknown limit", { limits: { tasksPerWeek: 5 } }, "unknown member tasksPerWeek of limits"],
    ["a limit as a text", { limits: { tasksPerDay: "5" } }, "limits.tasksPerDay must be a whole number from 1"],
    ["access by no line", { access: { lineIds: [] } }, "access.lineIds must not be empty"],
    ["access by the submissions of others", { access: { submittedBy: "others" } }, "access.submittedBy must be self"],
  ])("refuses the token if it cannot be read, and logs why: %s", async (_, switchboard, fault) => {
    const { limits, lines } = await reading(null);
    expect(await limits({ switchboard })).toBe("refused");
    expect(lines.join()).toContain(`the claim switchboard is not { limits, access }: ${fault}`);
  });
});

describe("TOKEN_POLICY_FILE", () => {
  it("joins the rules for the hours of called people, and keeps equal ones once", async () => {
    const rule = (prefix: string) => ({ prefix, timeZone: "Europe/Berlin", from: "09:00", to: "20:00" });
    const [first, second, third] = [rule("+49"), rule("+43"), { ...rule("+49"), to: "18:00" }];
    const { limits } = await reading([
      { issuer: ISSUER, limits: { calledHours: [first, second] } },
      { issuer: ISSUER, group: "sales", limits: { calledHours: [third, first] } },
    ]);
    const found = await limits({ groups: ["sales"] });
    const { calledHours } = found as { calledHours: object[] };
    expect(calledHours).toHaveLength(3);
    expect(new Set(calledHours.map((each) => JSON.stringify(each)))).toEqual(
      new Set([first, second, third].map((each) => JSON.stringify(each))),
    );
    expect(await limits({ groups: ["sales"], sub: "other" })).toBe(found);
  });

  const entries = [
    { issuer: ISSUER, limits: { numbersPerDay: 1000 } },
    { issuer: ISSUER, group: "sales", limits: { numbersPerDay: 500, prefixes: ["+86", "+49"], lineIds: ["60", "61"] } },
    { issuer: ISSUER, group: "china", limits: { numbersPerDay: 700, prefixes: ["+8613", "+1"], lineIds: ["61"] } },
  ];

  it("combines all policies that match: the smaller number, and what every list allows", async () => {
    const { limits } = await reading(entries);
    expect(await limits({})).toEqual({ numbersPerDay: 1000 });
    expect(await limits({ groups: "sales" })).toEqual({ ...entries[1]?.limits, prefixes: ["+49", "+86"] });
    const both = { numbersPerDay: 500, prefixes: ["+8613"], lineIds: ["61"] };
    expect(await limits({ groups: ["sales", "china", "unknown"] })).toEqual(both);
    const claim = { limits: { numbersPerDay: 3, lineIds: ["60"] } };
    expect(await limits({ groups: ["china"], switchboard: claim })).toMatchObject({ numbersPerDay: 3, lineIds: [] });
  });

  it.each([
    ["a number", { groups: 7 }],
    ["a list with a number", { groups: ["sales", 7] }],
    ["kept elsewhere by the provider", { _claim_names: { groups: "src1" } }],
    // https://learn.microsoft.com/en-us/entra/identity-platform/access-token-claims-reference
    ["only known to exist, in a token of the implicit flow", { hasgroups: true }],
    ["only known to exist, as a text", { hasgroups: "true" }],
  ])("A88: refuses a token whose groups cannot be read: %s", async (_, claims) => {
    expect(await (await reading(entries)).limits(claims)).toBe("refused");
    expect(await (await reading(null)).limits(claims)).toBeNull();
  });

  it("A88: ends the start if an entry can never apply, because its issuer is not JWT_ISSUER", async () => {
    const foreign = { issuer: `${ISSUER}/`, limits: { tasksPerDay: 1 } };
    await expect(reading([...entries, foreign])).rejects.toThrow(
      `TOKEN_POLICY_FILE cannot be used: entry ${entries.length + 1}: issuer is not JWT_ISSUER, so the entry can never apply`,
    );
  });

  it("has effect on grants when it changes, and ends sessions by tokens", async () => {
    const { grant, sessions, write } = await reading(entries);
    const held = await grant({ groups: ["sales"] });
    const session = held && sessions.open(held);
    const inSession = sessions.find(session?.text ?? "");
    expect(inSession?.viewer()?.limits).toEqual({ ...entries[1]?.limits, prefixes: ["+49", "+86"] });
    let changes = 0;
    inSession?.onChange(() => (changes += 1));
    await write([{ issuer: ISSUER, group: "sales", limits: { tasksPerHour: 1 } }]);
    await until(() => held?.viewer()?.limits?.tasksPerHour === 1);
    expect([inSession?.viewer(), sessions.find(session?.text ?? ""), changes]).toEqual([null, null, 1]);
  });
});
