import { describe, expect, it } from "vitest";
import { startGateway, temporaryDirectory } from "../support/gateway.ts";
import { bearer, writeKeys } from "../support/keys.ts";
import { startSandbox } from "../support/sandbox.ts";

const CALLS = `query ($phone: String!) {
  _entities(representations: [{ __typename: "Person", phone: $phone }]) {
    ... on Person { phone calls(first: 10) { totalCount nodes { sessionId caller } } lastCall { sessionId } }
  }
}`;
interface Person {
  phone: string;
  calls: { totalCount: number; nodes: { sessionId: string; caller: string }[] } | null;
  lastCall: { sessionId: string } | null;
}
type Entities = { _entities: (Person | null)[] };

const NATIONAL = "13899990000";
const INTERNATIONAL = "+86 138 9999 0000";

/** The variable stands in a representation of the document, as GraphQL allows. */
async function callsOf(gateway: Awaited<ReturnType<typeof startGateway>>, phone: string) {
  const { data, errors } = await gateway.ask<Entities>(CALLS, { phone });
  expect(errors).toBeUndefined();
  const [person] = data?._entities ?? [];
  return { phone: person?.phone, ids: person?.calls?.nodes.map(({ sessionId }) => sessionId), last: person?.lastCall };
}

describe("Person", () => {
  it.each([
    ["contains", NATIONAL],
    ["contains", "+8613899990000"],
    ["exact", NATIONAL],
  ])(
    "has the same calls with and without country code, of a service that compares %s and writes %s",
    async (phoneMatch, written) => {
      await using sandbox = await startSandbox();
      await using gateway = await startGateway(sandbox, { FEDERATION: "on" });
      await sandbox.control("PATCH", "quirks", { phoneMatch });
      const first = await sandbox.endCall({ caller: written, talkTime: 40 });
      const last = await sandbox.endCall({ caller: written, talkTime: 1 });
      await sandbox.endCall({ caller: "13899990001" });
      for (const phone of [NATIONAL, INTERNATIONAL]) {
        const { ids, ...person } = await callsOf(gateway, phone);
        expect(ids?.sort()).toEqual([first, last].sort());
        expect(person).toEqual({ phone, last: { sessionId: last } });
      }
    },
  );

  it("finds the calls of a number that a service writes and compares with its country code", async () => {
    await using sandbox = await startSandbox();
    await using gateway = await startGateway(sandbox, { FEDERATION: "on" });
    await sandbox.control("PATCH", "quirks", { phoneMatch: "exact" });
    const call = await sandbox.endCall({ caller: "+8613899990000" });
    expect(await callsOf(gateway, INTERNATIONAL)).toMatchObject({ ids: [call], last: { sessionId: call } });
  });

  it("shows no calls of another country for a number that is written without +", async () => {
    await using sandbox = await startSandbox();
    await using gateway = await startGateway(sandbox, { FEDERATION: "on" });
    await sandbox.control("PATCH", "quirks", { phoneMatch: "contains" });
    const [french, other] = ["33639980001", "+490639980001"];
    const ofOther = await sandbox.endCall({ caller: other });
    const { errors } = await gateway.ask<Entities>(CALLS, { phone: french });
    expect(errors?.[0]?.extensions["code"]).toBe("UPSTREAM_FILTER_IGNORED");
    const call = await sandbox.endCall({ caller: `+${french}` });
    expect(await callsOf(gateway, french)).toMatchObject({ ids: [call], last: { sessionId: call } });
    expect(await callsOf(gateway, other)).toMatchObject({ ids: [ofOther] });
  });

  it("pages with cursors of the one list", async () => {
    await using sandbox = await startSandbox();
    await using gateway = await startGateway(sandbox, { FEDERATION: "on" });
    const ids = [await sandbox.endCall({ caller: NATIONAL }), await sandbox.endCall({ caller: NATIONAL })];
    const page = `query ($person: _Any!, $after: String) { _entities(representations: [$person]) {
      ... on Person { calls(first: 1, after: $after) { nodes { sessionId } pageInfo { hasNextPage endCursor } } }
    } }`;
    const person = { __typename: "Person", phone: INTERNATIONAL };
    type Page = { nodes: { sessionId: string }[]; pageInfo: { hasNextPage: boolean; endCursor: string } };
    const pageAfter = async (after: string | null): Promise<Page | undefined> => {
      const { data } = await gateway.ask<{ _entities: { calls: Page }[] }>(page, { person, after });
      return data?._entities[0]?.calls;
    };
    const seen: string[] = [];
    for (let after: string | null = null, hasNext = true; hasNext;) {
      const calls = await pageAfter(after);
      seen.push(...(calls?.nodes.map(({ sessionId }) => sessionId) ?? []));
      hasNext = calls?.pageInfo.hasNextPage ?? false;
      after = calls?.pageInfo.endCursor ?? null;
    }
    expect(seen.sort()).toEqual(ids.sort());
    const { errors } = await gateway.ask(page, { person, after: "canary" });
    expect(errors?.[0]?.extensions["code"]).toBe("CURSOR_INVALID");
  });
});

describe("A subgraph with keys", () => {
  it("shows a viewer with access to some tasks only the calls of these", async () => {
    await using sandbox = await startSandbox();
    await using folder = await temporaryDirectory();
    const scopes = ["calls:read", "people:read"];
    const API_KEYS_FILE = await writeKeys(folder.path, { whole: scopes, some: scopes }, { some: { taskIds: ["1"] } });
    await using gateway = await startGateway(sandbox, { FEDERATION: "on", API_KEYS_FILE });
    await sandbox.endCall({ caller: NATIONAL });
    const ask = (name: string) => gateway.ask<Entities>(CALLS, { phone: NATIONAL }, { authorization: bearer(name) });
    expect((await ask("whole")).data?._entities[0]?.calls?.totalCount).toBe(1);
    const some = await ask("some");
    expect(some.errors).toBeUndefined();
    expect(some.data?._entities[0]).toEqual({ phone: NATIONAL, calls: { totalCount: 0, nodes: [] }, lastCall: null });
  });
});
