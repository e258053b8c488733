import { afterEach, describe, expect, it, vi } from "vitest";
import { SwitchboardError } from "../../client/src/index.ts";
import { clientOf, untilTurn } from "./clients.ts";
import { graphError, json, reset, scriptedServer, text } from "./scriptedServer.ts";

const ok = json({ data: { serviceTimeZone: "Asia/Shanghai" } });
const QUERY = "{ serviceTimeZone }";
const MUTATION = 'mutation { forgetPhone(number: "+8613800010001") { events } }';

const errorOf = (promise: Promise<unknown>) =>
  promise.then(
    () => expect.fail("It did not fail."),
    (error: unknown) => error as SwitchboardError,
  );

afterEach(() => {
  vi.restoreAllMocks();
  vi.useRealTimers();
});

describe("A query", () => {
  it("resolves with its data, and sends its variables and the credentials", async () => {
    await using server = await scriptedServer(ok);
    await using client = clientOf(server, { authorization: "Bearer key" });
    expect(await client.query(QUERY, { first: 3 })).toEqual({ serviceTimeZone: "Asia/Shanghai" });
    expect(server.requests).toMatchObject([
      { headers: { authorization: "Bearer key" }, body: { query: QUERY, variables: { first: 3 } } },
    ]);
  });

  it("throws the first error with all that it carries, and with the partial data", async () => {
    const errors = [graphError("UPSTREAM_RATE_LIMITED", { retryable: true, retryAfter: 7 }), graphError("INTERNAL")];
    await using server = await scriptedServer(json({ data: { task: null, viewer: {} }, errors }));
    await using client = clientOf(server);
    const error = await errorOf(client.query(QUERY));
    expect(error).toBeInstanceOf(SwitchboardError);
    expect(error).toMatchObject({
      code: "UPSTREAM_RATE_LIMITED",
      message: "It is UPSTREAM_RATE_LIMITED.",
      retryable: true,
      retryAfter: 7,
      requestId: "request-1",
      data: { task: null, viewer: {} },
      errors,
    });
    expect(server.requests).toHaveLength(1);
  });

  it("is repeated after a broken connection, a proxy's 502 and 504, and the gateway's 503", async () => {
    const busy = json({ errors: [graphError("UPSTREAM_UNAVAILABLE", { retryable: true })] }, 503);
    await using server = await scriptedServer(reset, text("Bad Gateway", 502), busy, text("", 504), ok);
    await using client = clientOf(server);
    expect(await client.query(QUERY)).toEqual({ serviceTimeZone: "Asia/Shanghai" });
    expect(server.requests).toHaveLength(5);
  });

  it("is tried five times at most", async () => {
    await using server = await scriptedServer(reset);
    await using client = clientOf(server);
    expect(await errorOf(client.query(QUERY))).toMatchObject({ code: "NETWORK", retryable: true });
    expect(server.requests).toHaveLength(5);
  });

  it("waits for Retry-After before it is repeated", async () => {
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    vi.spyOn(globalThis, "setTimeout");
    await using server = await scriptedServer(text("", 503, { "retry-after": "9" }), ok);
    await using client = clientOf(server);
    const answer = client.query(QUERY);
    await untilTurn(() => vi.mocked(setTimeout).mock.calls.some(([, ms]) => ms === 9000));
    await vi.advanceTimersByTimeAsync(8_999);
    expect(server.requests).toHaveLength(1);
    await vi.advanceTimersByTimeAsync(1);
    expect(await answer).toEqual({ serviceTimeZone: "Asia/Shanghai" });
  });

  it("fails at once where Retry-After asks for minutes", async () => {
    await using server = await scriptedServer(text("", 503, { "retry-after": "120" }));
    await using client = clientOf(server);
    expect(await errorOf(client.query(QUERY))).toMatchObject({ code: "BAD_RESPONSE", status: 503, retryAfter: 120 });
    expect(server.requests).toHaveLength(1);
  });

  it.each(["FORBIDDEN", "GRAPHQL_VALIDATION_FAILED", "INTERNAL", "UPSTREAM_TIMEOUT", "RATE_LIMITED"])(
    "is not repeated after %s",
    async (code) => {
      await using server = await scriptedServer(json({ errors: [graphError(code)] }));
      await using client = clientOf(server);
      expect(await errorOf(client.query(QUERY))).toMatchObject({ code, retryable: code === "RATE_LIMITED" });
      expect(server.requests).toHaveLength(1);
    },
  );

  it("rejects with the signal's reason, also during a pause", async () => {
    await using server = await scriptedServer(text("", 503, { "retry-after": "20" }));
    await using client = clientOf(server);
    const abort = new AbortController();
    const answer = errorOf(client.query(QUERY, {}, { signal: abort.signal }));
    await untilTurn(() => server.requests.length === 1);
    abort.abort(new Error("The page was left."));
    expect((await answer).message).toBe("The page was left.");
    expect((await errorOf(client.query(QUERY, {}, { signal: abort.signal }))).message).toBe("The page was left.");
    expect(server.requests).toHaveLength(1);
  });

  it("rejects with the signal's reason, also while `authorization` does not answer", async () => {
    await using server = await scriptedServer(ok);
    await using client = clientOf(server, { authorization: () => new Promise(() => {}) });
    const abort = new AbortController();
    const answer = errorOf(client.query(QUERY, {}, { signal: abort.signal }));
    abort.abort(new Error("The page was left."));
    expect((await answer).message).toBe("The page was left.");
    expect(server.requests).toHaveLength(0);
  });

  it("fails at once with a TypeError for a variable that is no JSON", async () => {
    await using server = await scriptedServer(ok);
    await using client = clientOf(server);
    await expect(client.query(QUERY, { first: 1n })).rejects.toThrow(TypeError);
    expect(server.requests).toHaveLength(0);
  });

  it("fails with CLOSED after the client was closed", async () => {
    await using server = await scriptedServer(ok);
    const client = clientOf(server);
    await client.close();
    expect(await errorOf(client.query(QUERY))).toMatchObject({ code: "CLOSED" });
    expect(client.state).toEqual({ name: "ended" });
  });
});

describe("Refused credentials", () => {
  const refusal = json({ errors: [graphError("UNAUTHENTICATED")] }, 401);

  it("are asked for again, and the request is repeated with the new value", async () => {
    await using server = await scriptedServer(refusal, ok);
    const asked: (string | undefined)[] = [];
    await using client = clientOf(server, {
      authorization: async (refused) => {
        asked.push(refused);
        return refused === undefined ? "Bearer old" : "Bearer new";
      },
    });
    expect(await client.mutate(MUTATION)).toEqual({ serviceTimeZone: "Asia/Shanghai" });
    expect(asked).toEqual([undefined, "Bearer old"]);
    expect(server.requests.map(({ headers }) => headers.authorization)).toEqual(["Bearer old", "Bearer new"]);
  });

  it("end with the gateway's error if they are a fixed text, or refused twice", async () => {
    await using server = await scriptedServer(refusal);
    await using fixed = clientOf(server, { authorization: "Bearer old" });
    expect(await errorOf(fixed.query(QUERY))).toMatchObject({ code: "UNAUTHENTICATED", requestId: "request-1" });
    expect(server.requests).toHaveLength(1);
    let made = 0;
    await using changing = clientOf(server, { authorization: () => `Bearer ${(made += 1)}` });
    expect(await errorOf(changing.query(QUERY))).toMatchObject({ code: "UNAUTHENTICATED", requestId: "request-1" });
    expect(server.requests).toHaveLength(3);
  });

  it("that cannot be had are AUTHORIZATION_FAILED, and are asked for again with the next try", async () => {
    await using server = await scriptedServer(ok);
    let asked = 0;
    await using client = clientOf(server, {
      authorization: () => {
        asked += 1;
        if (asked < 3) throw new Error("The provider is down.");
        return "Bearer key";
      },
    });
    const failure = await errorOf(client.mutate(MUTATION));
    expect(failure).toMatchObject({
      code: "AUTHORIZATION_FAILED",
      message: expect.stringContaining("provider is down"),
    });
    expect(await client.query(QUERY)).toEqual({ serviceTimeZone: "Asia/Shanghai" });
    expect(asked).toBe(3);
  });
});

describe("A mutation", () => {
  it.each([
    ["a broken connection", reset, "NETWORK"],
    ["503", text("", 503), "BAD_RESPONSE"],
  ])("is sent once, also after %s", async (_, answer, code) => {
    await using server = await scriptedServer(answer);
    await using client = clientOf(server);
    expect(await errorOf(client.mutate(MUTATION))).toMatchObject({ code });
    expect(server.requests).toHaveLength(1);
  });
});

it.each([302, 307, 308])("A redirect with %i is not followed: its target gets no number and no key", async (status) => {
  await using other = await scriptedServer(ok);
  await using server = await scriptedServer(text("", status, { location: `${other.url}/graphql` }));
  await using client = clientOf(server, { authorization: "Bearer key", webSocketImpl: null });
  expect(await errorOf(client.query(MUTATION))).toMatchObject({ code: "BAD_RESPONSE", status, retryable: false });
  expect(await errorOf(client.callEnded().next())).toMatchObject({ code: "BAD_RESPONSE" });
  expect(other.requests).toEqual([]);
});
