// Answers to GET with trusted documents: what clients may keep, and when a 304 needs no request to the service.
import { describe, expect, it } from "vitest";
import { callEndedEvent } from "../support/events.ts";
import { startGateway } from "../support/gateway.ts";
import { bearer } from "../support/keys.ts";
import { until } from "../support/until.ts";
import { ageOf, etagOf, holding, NUMBER, SEVEN, startWorld } from "./cachingWorld.ts";

describe("An answer to GET with a trusted document", () => {
  it("may be kept by its client alone, for the time that is left of the cached data", async () => {
    const { get } = await startWorld();
    const first = await get("task", SEVEN);
    expect(await first.json()).toEqual({ data: { task: { name: "November", total: 3 } } });
    expect(first.headers.get("content-type")).toBe("application/json; charset=utf-8");
    expect(first.headers.get("cache-control")).toMatch(/^private, max-age=(59\d|600), must-revalidate$/);
    expect(first.headers.get("vary")).toBe("Accept, Authorization, Cookie, Origin");
    expect(etagOf(first)).toMatch(/^W\/"[\w-]{16}"$/);
    const later = await until(async () => {
      const response = await get("task", SEVEN);
      return Number(ageOf(response)) < Number(ageOf(first)) && response;
    });
    expect(etagOf(later)).toBe(etagOf(first));
  });

  it("is a 304 without a body and without a request to the service while the data is cached", async () => {
    const { get, service } = await startWorld();
    const first = await get("task", SEVEN);
    const asked = service.asked.length;
    const second = await get("task", { ...SEVEN, ...holding(first) });
    expect([second.status, await second.text(), etagOf(second)]).toEqual([304, "", etagOf(first)]);
    expect(second.headers.get("vary")).toBe(first.headers.get("vary"));
    expect(Number(ageOf(second))).toBeLessThanOrEqual(Number(ageOf(first)));
    expect(service.asked).toHaveLength(asked);
  });

  it("is a 304 after a request to the service when the data is no longer cached, until it changes", async () => {
    const { get, service, data } = await startWorld({ UPSTREAM_CACHE_MS: "100" });
    const first = await get("task", SEVEN);
    const asked = service.asked.length;
    // The data is unchanged: the service is asked, and only the bytes are saved.
    await until(async () => {
      expect((await get("task", { ...SEVEN, ...holding(first) })).status).toBe(304);
      return service.asked.length > asked;
    });
    data.name = "December";
    const changed = await until(async () => {
      const response = await get("task", { ...SEVEN, ...holding(first) });
      return response.status === 200 && response;
    });
    expect(await changed.json()).toEqual({ data: { task: { name: "December", total: 3 } } });
  });

  it.each(["task", "calls", "both", "head"] as const)("of %s is a 304 without running", async (name) => {
    const { get, service } = await startWorld();
    const first = await get(name, SEVEN);
    // The first list of a process is compared with others.
    const held = await get(name, SEVEN);
    expect([first.status, held.status]).toEqual([200, 200]);
    const asked = service.asked.length;
    const again = await get(name, { ...SEVEN, ...holding(held) });
    expect(again.status).toBe(304);
    expect(Number(ageOf(again))).toBeGreaterThan(500);
    expect(service.asked).toHaveLength(asked);
  });

  it.each(["stats", "events", "recordings", "viewer"] as const)(
    "of %s gets no age, since it shows other data than the service's, and a 304 only after it ran",
    async (name) => {
      const { get, gateway } = await startWorld();
      const first = await get(name);
      expect(first.headers.get("cache-control")).toBe("private, no-cache");
      expect((await get(name, holding(first))).status).toBe(304);
      await gateway.deliver(callEndedEvent({ session_id: "session-1", task_id: 7 }));
      const after = await get(name, holding(first));
      expect(after.status).toBe(name === "viewer" ? 304 : 200);
      expect(after.headers.get("cache-control")).toBe("private, no-cache");
    },
  );

  it("that has an error, is of a mutation or of a subscription, or came by POST is not stored", async () => {
    const { get, data, gateway } = await startWorld();
    const storedOf = ({ status, headers }: Response) => [status, headers.get("cache-control"), headers.get("etag")];
    data.status = 500;
    expect(storedOf(await get("task", SEVEN))).toEqual([200, "no-store", null]);
    expect(storedOf(await get("task"))).toEqual([200, "no-store", null]);
    expect(storedOf(await get("forget", { variables: { number: NUMBER } }))).toEqual([405, "no-store", null]);
    expect(storedOf(await get("live"))[1]).toBe("no-store");
    expect(storedOf(await get("task", { ...SEVEN, viewer: "nobody" }))[0]).toBe(401);
    const headers = { "content-type": "application/json", authorization: bearer("web") };
    const body = JSON.stringify({ documentId: "viewer" });
    const posted = await fetch(`${gateway.url}/graphql`, { method: "POST", headers, body });
    expect([posted.headers.get("cache-control"), posted.headers.get("etag")]).toEqual([null, null]);
  });

  it("is not stored without trusted documents", async () => {
    await using gateway = await startGateway({ url: "http://127.0.0.1:9" }, { UPSTREAM_CACHE_MS: "600000" });
    const params = new URLSearchParams({ query: "{ viewer { name } }" });
    const response = await fetch(`${gateway.url}/graphql?${params}`, { headers: { "x-switchboard-preflight": "1" } });
    expect([response.headers.get("cache-control"), response.headers.get("etag")]).toEqual(["no-store", null]);
  });

  it("without a cache of the service's data has an ETag and no age", async () => {
    const { get, service } = await startWorld({ UPSTREAM_CACHE_MS: "0" });
    const first = await get("task", SEVEN);
    expect(first.headers.get("cache-control")).toBe("private, no-cache");
    const asked = service.asked.length;
    expect((await get("task", { ...SEVEN, ...holding(first) })).status).toBe(304);
    expect(service.asked).toHaveLength(asked + 1);
  });

  it("is found by any spelling of its tag, and by no other", async () => {
    const { get } = await startWorld();
    const tag = etagOf(await get("task", SEVEN));
    const statusOf = async (value: string) =>
      (await get("task", { ...SEVEN, headers: { "if-none-match": value } })).status;
    for (const value of [tag, tag.slice(2), `"x", ${tag}`, `${tag},W/"y"`]) expect(await statusOf(value)).toBe(304);
    for (const value of ["*", '""', tag.slice(2, -1), tag.toLowerCase(), `W/${tag}`])
      expect(await statusOf(value)).toBe(200);
  });

  it("has another tag for another media type, which is not confused with it", async () => {
    const { get } = await startWorld();
    const first = await get("task", SEVEN);
    const accept = "application/graphql-response+json";
    const other = await get("task", { ...SEVEN, headers: { accept, "if-none-match": etagOf(first) } });
    expect([other.status, other.headers.get("content-type")]).toEqual([200, `${accept}; charset=utf-8`]);
  });
});
