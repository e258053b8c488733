import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createAdmission } from "../../src/auth/authenticate.ts";
import { createRateLimits, noRateLimits } from "../../src/auth/rateLimits.ts";
import { lastingGrant } from "../../src/auth/grant.ts";
import { type Directory, type TestGateway, NO_SERVICE, startGateway, temporaryDirectory } from "../support/gateway.ts";
import { bearer, writeKeys } from "../support/keys.ts";
import { openSse } from "../support/streams.ts";
import { transports, type GraphqlResult } from "./transports.ts";
import { unrestricted } from "../../src/auth/viewerPolicy.ts";

const LIMIT = 3;
/** One viewer per transport: a key has no spaces. */
const nameOf = (transport: string) => transport.replaceAll(" ", "-");
const RATE_LIMITED = { code: "RATE_LIMITED", retryAfter: expect.any(Number) as number };

describe("A10, A36: the rate limit of a caller", () => {
  it("counts each caller apart, and rejects with the seconds until its window ends", async () => {
    const rates = createRateLimits(LIMIT);
    for (let at = 0; at < LIMIT; at += 1) await rates.consume("viewer web");
    const refusal = await Promise.resolve(rates.consume("viewer web")).catch((error: unknown) => error);
    expect(refusal).toMatchObject(RATE_LIMITED);
    expect((refusal as { retryAfter: number }).retryAfter).toBeLessThanOrEqual(60);
    expect(await rates.consume("viewer ops")).toBeUndefined();
  });

  it("does not exist without authentication", async () => {
    const requests = Array.from({ length: 10_000 }, async () => noRateLimits.consume("viewer anyone"));
    await expect(Promise.all(requests)).resolves.toHaveLength(10_000);
  });

  it("does not count successful authentications", async () => {
    const admit = createAdmission(
      (key) =>
        Promise.resolve(key === "good" ? lastingGrant({ name: "web", scopes: new Set(), ...unrestricted }) : null),
      createRateLimits(LIMIT),
    );
    for (let at = 0; at < 10; at += 1) expect(await admit("good", "1.2.3.4")).not.toBeNull();
    for (let at = 0; at < LIMIT; at += 1) expect(await admit("bad", "1.2.3.4")).toBeNull();
    await expect(admit("bad", "1.2.3.4")).rejects.toMatchObject(RATE_LIMITED);
    expect(await admit("bad", "5.6.7.8")).toBeNull();
    expect(await admit("good", "1.2.3.4")).not.toBeNull();
  });
});

describe("A25: failed authentications of many addresses", () => {
  it("share one limit beyond ten thousand addresses in a minute", async () => {
    let now = 0;
    const payers = new Set<string>();
    const pay = async (payer: string) => void payers.add(payer);
    const nobody = () => Promise.resolve(null);
    const admit = createAdmission(nobody, { consume: pay }, () => now);
    for (let at = 0; at < 10_100; at += 1) await admit("bad", `a${at}`);
    expect([payers.size, payers.has("address a7"), payers.has("other addresses")]).toEqual([10_001, true, true]);
    payers.clear();
    await admit("bad", "a10050");
    await admit("bad", "a7");
    now = 60_000;
    await admit("bad", "a10050");
    expect([...payers]).toEqual(["other addresses", "address a7", "address a10050"]);
  });
});

describe("A25: while others are served,", () => {
  let directory: Directory;
  let gateway: TestGateway;
  beforeAll(async () => {
    directory = await temporaryDirectory();
    const keys = await writeKeys(directory.path, {
      ...Object.fromEntries(transports.map(([name]) => [nameOf(name), ["calls:read"]])),
      clumsy: ["calls:read"],
      caller: ["tasks:create", "calls:read"],
      other: ["tasks:create", "calls:read"],
    });
    const env = { API_KEYS_FILE: keys, RATE_LIMIT: String(LIMIT), TRUST_PROXY: "1" };
    gateway = await startGateway(NO_SERVICE, env);
  });
  afterAll(async () => {
    await gateway[Symbol.asyncDispose]();
    await directory[Symbol.asyncDispose]();
  });

  it("an address that guesses keys gets 429 with Retry-After", async () => {
    const guess = (address: string) =>
      gateway.ask("{ viewer { name } }", {}, { authorization: "Bearer x", "x-forwarded-for": address });
    for (let at = 0; at < LIMIT; at += 1) expect((await guess("1.2.3.4")).status).toBe(401);
    const refused = await guess("6.6.6.6, 1.2.3.4");
    expect([refused.status, refused.errors?.[0]?.extensions]).toMatchObject([429, RATE_LIMITED]);
    expect((await guess("5.6.7.8")).status).toBe(401);
    const known = await gateway.ask(
      "{ viewer { name } }",
      {},
      { authorization: bearer("other"), "x-forwarded-for": "1.2.3.4" },
    );
    expect(known.status).toBe(200);
  });

  it.each(transports)(
    "a viewer that sends bad documents over %s gets RATE_LIMITED, and keeps its socket",
    async (title, open) => {
      const name = nameOf(title);
      await using transport = await open(gateway.url, bearer(name));
      await using other = await open(gateway.url, bearer("other"));
      const codeOf = ({ errors }: GraphqlResult) => errors?.[0]?.extensions?.["code"] ?? null;
      const right = { query: "{ viewer { name } }" };
      expect(await transport.ask(right)).toEqual({ data: { viewer: { name } } });
      for (let at = 0; at < LIMIT; at += 1)
        expect(codeOf(await transport.ask({ query: "{ canary }" }))).toMatch(/^GRAPHQL/);
      const { errors } = await transport.ask({ query: "{ canary }" });
      expect(errors?.map(({ extensions }) => extensions)).toMatchObject([RATE_LIMITED]);
      expect(codeOf(await transport.ask({ query: `{ serviceTimeZone } # ${name}` }))).toBe("RATE_LIMITED");
      expect(await transport.ask(right)).toEqual({ data: { viewer: { name } } });
      expect(codeOf(await other.ask({ query: `{ serviceTimeZone } # ${name}` }))).toBeNull();
    },
  );

  it("a viewer that sends invalid requests gets 429 with Retry-After", async () => {
    const post = (body: string) =>
      fetch(`${gateway.url}/graphql`, {
        method: "POST",
        body,
        headers: { "content-type": "application/json", authorization: bearer("clumsy") },
      });
    for (const body of ["{", "[]", "7"]) expect((await post(body)).status).toBe(400);
    for (const body of ["{", '{"query":"{ canary }"}']) {
      const response = await post(body);
      expect([response.status, Number(response.headers.get("retry-after")) > 0]).toEqual([429, true]);
      expect(await response.json()).toMatchObject({ errors: [{ extensions: RATE_LIMITED }] });
    }
  });

  it("a viewer with too many requests to the service gets RATE_LIMITED, by aliases, server-sent events or WebSocket", async () => {
    const ask = (ids: number[]) => `{ ${ids.map((id) => `t${id}: task(taskId: "${id}") { name }`).join(" ")} }`;
    const codes = (errors: GraphqlResult["errors"]) =>
      new Set((errors ?? []).map(({ extensions }) => extensions?.["code"]));
    const authorization = bearer("caller");
    // The service is unreachable: sent requests are UPSTREAM_UNAVAILABLE, others are RATE_LIMITED.
    const first = await gateway.ask(ask([1, 2, 3, 4, 5, 6, 7]), {}, { authorization });
    expect(codes(first.errors)).toContain("RATE_LIMITED");
    for (const [, open] of transports) {
      await using transport = await open(gateway.url, authorization);
      expect(codes((await transport.ask({ query: ask([8]) })).errors)).toEqual(new Set(["RATE_LIMITED"]));
    }
    const watch = { query: 'subscription { taskProgress(taskId: "10") { name } }' };
    await using watching = await openSse(gateway.url, watch, { authorization });
    expect(codes((await watching.next()).errors)).toEqual(new Set(["RATE_LIMITED"]));
    const other = await gateway.ask(ask([9]), {}, { authorization: bearer("other") });
    expect(codes(other.errors)).toEqual(new Set(["UPSTREAM_UNAVAILABLE"]));
  });

  it("a viewer that creates too many tasks is refused before anything is sent", async () => {
    const create = (name: string) =>
      gateway.ask(
        `mutation { createTask(input: { idempotencyKey: "k", name: "n", assistantId: 1, numbers: [], option: {
          numberFileMeta: { number: 0, name: 0, gender: 0, salesPersonName: 0 }, lineIds: [1], periods: [["09:00"]]
          startDate: "2026-01-01", retryCount: 0, retryIntervalSeconds: 0 } }) { errors { code } } }`,
        {},
        { authorization: bearer(name) },
      );
    for (let at = 0; at < LIMIT; at += 1) expect((await create("caller")).errors).toBeUndefined();
    expect((await create("caller")).errors?.map(({ extensions }) => extensions)).toMatchObject([RATE_LIMITED]);
    expect((await create("other")).errors).toBeUndefined();
  });
});
