import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createVerifier } from "../../src/webhook/receive.ts";
import { exchange } from "../server/serve.ts";
import { callEndedEvent } from "../support/events.ts";
import { type TestGateway, NO_SERVICE, startGateway } from "../support/gateway.ts";
import { WEBHOOK_AUTHORIZATION } from "../support/sandbox.ts";
import { openSse } from "../support/streams.ts";

let gateway: TestGateway;
beforeAll(async () => {
  gateway = await startGateway(NO_SERVICE, { WEBHOOK_AUTHORIZATION_PREVIOUS: "the value before" });
});
afterAll(async () => {
  await gateway[Symbol.asyncDispose]();
});

const port = () => Number(new URL(gateway.url).port);
/** Sends a raw request, and resolves with the response when the connection is closed. */
const raw = (head: string[], body = "") => exchange(port(), `${head.join("\r\n")}\r\nconnection: close\r\n\r\n${body}`);
const authentic = `authorization: ${WEBHOOK_AUTHORIZATION}`;
const revisions = async (taskId: number) => {
  const { data } = await gateway.ask<{ callEndedEvents: { nodes: { sessionId: string; revision: number }[] } }>(
    `{ callEndedEvents(revisions: true, filter: { taskIds: ["${taskId}"] }) { nodes { sessionId revision } } }`,
  );
  return data?.callEndedEvents.nodes ?? [];
};

describe("A38: a webhook whose header is not exactly the configured value", () => {
  const value = WEBHOOK_AUTHORIZATION;
  it.each([
    ["missing", []],
    ["empty", ["authorization:"]],
    ["blank", ["authorization:  "]],
    ["wrong", ["authorization: wrong"]],
    ["a prefix", [`authorization: ${value.slice(0, -1)}`]],
    ["longer", [`authorization: ${value}x`]],
    ["doubled in one", [`authorization: ${value}, ${value}`]],
    ["in another case", [`authorization: ${value.toUpperCase()}`]],
    ["with another blank", [`authorization: ${value.replace(" ", "  ")}`]],
    ["with a scheme", [`authorization: Bearer ${value}`]],
    ["under another name", [`x-authorization: ${value}`]],
    ["wrong first and right behind", ["authorization: wrong", `authorization: ${value}`]],
    ["right first and wrong behind", [`authorization: ${value}`, "AUTHORIZATION: wrong"]],
    ["right first and empty behind", [`authorization: ${value}`, "authorization:"]],
    ["right twice", [`authorization: ${value}`, `Authorization: ${value}`]],
  ])("is refused with 401 {} and not stored: %s", async (_, lines) => {
    const body = JSON.stringify(callEndedEvent({ task_id: 38 }));
    const head = ["POST /calllog HTTP/1.1", "host: gateway", ...lines, `content-length: ${Buffer.byteLength(body)}`];
    const answer = await raw(head, body);
    expect(answer).toMatch(/^HTTP\/1\.1 401 /);
    expect(answer).toMatch(/\r\n\r\n\{\}$/);
    expect(await revisions(38)).toEqual([]);
  });
});

describe("A39: the time to check a header", () => {
  it("is the same if the first or the last of 40,000 bytes is wrong", () => {
    const value = "x".repeat(4096);
    const verify = createVerifier([value]);
    const tries = [`y${value.slice(1)}`, `${value.slice(0, -1)}y`] as const;
    const times: [number[], number[]] = [[], []];
    for (let at = 0; at < 42_000; at += 1) {
      for (const which of [0, 1] as const) {
        const begun = process.hrtime.bigint();
        verify(tries[which]);
        // The first runs include compilation.
        if (at >= 2000) times[which].push(Number(process.hrtime.bigint() - begun));
      }
    }
    const [first, last] = times.map((each) => each.toSorted((a, b) => a - b)[each.length / 2] ?? 0) as [number, number];
    // A comparison that stops at the first difference would take no time for one, and much for the other.
    expect(Math.abs(first - last)).toBeLessThan(Math.max(first, last) / 4);
  });
});

describe("A40: a rotation of WEBHOOK_AUTHORIZATION", () => {
  it("accepts both values while both are configured, and only the new one after the next start", async () => {
    const send = (to: TestGateway, authorization: string) => to.deliver(callEndedEvent(), { authorization });
    for (const value of [WEBHOOK_AUTHORIZATION, "the value before"])
      expect((await send(gateway, value)).status).toBe(200);
    await using next = await startGateway(NO_SERVICE);
    expect((await send(next, WEBHOOK_AUTHORIZATION)).status).toBe(200);
    expect((await send(next, "the value before")).status).toBe(401);
  });
});

describe("A41: a captured delivery that is sent again", () => {
  it("is answered the same, stored once and published once", async () => {
    const query = `subscription { callEnded(filter: { taskIds: ["41"] }, revisions: true) { sessionId } }`;
    await using stream = await openSse<{ callEnded: { sessionId: string } }>(gateway.url, { query });
    const event = callEndedEvent({ task_id: 41, session_id: "captured" });
    for (let time = 0; time < 5; time += 1) {
      const response = await gateway.deliver(event);
      expect([response.status, await response.text()]).toEqual([200, "{}"]);
    }
    await gateway.deliver(callEndedEvent({ task_id: 41, session_id: "next" }));
    expect((await stream.next()).data?.callEnded.sessionId).toBe("captured");
    expect((await stream.next()).data?.callEnded.sessionId).toBe("next");
    expect(await revisions(41)).toHaveLength(2);
  });
});

describe("A42: another body of the same call", () => {
  it("is a further revision: the earlier one stays, and subscribers get the call once", async () => {
    const query = `subscription { callEnded(filter: { taskIds: ["42"] }) { sessionId revision } }`;
    await using stream = await openSse<{ callEnded: { sessionId: string } }>(gateway.url, { query });
    for (const billsec of [1, 2, 3])
      await gateway.deliver(callEndedEvent({ task_id: 42, session_id: "same", billsec }));
    await gateway.deliver(callEndedEvent({ task_id: 42, session_id: "another" }));
    expect((await stream.next()).data?.callEnded).toEqual({ sessionId: "same", revision: 1 });
    expect((await stream.next()).data?.callEnded).toEqual({ sessionId: "another", revision: 1 });
    const same = (await revisions(42)).filter(({ sessionId }) => sessionId === "same");
    expect(same.map(({ revision }) => revision)).toEqual([1, 2, 3]);
  });
});

describe("A43: a body that is too large, or never ends", () => {
  it("is refused with 413 by its content-length, or by its bytes without one", async () => {
    const large = 256 * 1024 + 1;
    const head = ["POST /calllog HTTP/1.1", "host: gateway", authentic];
    expect(await raw([...head, `content-length: ${large}`])).toMatch(/^HTTP\/1\.1 413 /);
    const chunk = `${large.toString(16)}\r\n${"x".repeat(large)}\r\n`;
    expect(await raw([...head, "transfer-encoding: chunked"], chunk)).toMatch(/^HTTP\/1\.1 413 /);
  });
});

describe("A44: an authentic webhook with odd content", () => {
  it("is answered with 200 {} and quarantined if it is not JSON or has no readable session", async () => {
    const bodies = ["", "no json", "[]", `{"event_data":{}}`, `{"event_data":{"session_id":0}}`, "\uFEFF{}"];
    for (const body of bodies) {
      const response = await gateway.deliver(body);
      expect([response.status, await response.text()]).toEqual([200, "{}"]);
    }
    const { data } = await gateway.ask<{ quarantinedDeliveries: { nodes: { body: string }[] } }>(
      "{ quarantinedDeliveries(first: 100) { nodes { body } } }",
    );
    const kept = data?.quarantinedDeliveries.nodes.map(({ body }) => body);
    expect(kept).toEqual(expect.arrayContaining(bodies));
  });

  it.each(["text/plain", "application/xml", ""])(
    "is accepted with the Content-Type %j and any event_name",
    async (type) => {
      const event = { ...callEndedEvent({ task_id: 44, session_id: `odd ${type}` }), event_name: "anything" };
      const response = await gateway.deliver(event, { "content-type": type });
      expect(response.status).toBe(200);
      expect((await revisions(44)).map(({ sessionId }) => sessionId)).toContain(`odd ${type}`);
    },
  );
});

describe("A45: a flood of webhooks without credentials", () => {
  it("is refused by its heads: no body is read, and the connection is closed", async () => {
    const head = ["POST /calllog HTTP/1.1", "host: gateway", "authorization: wrong", "content-length: 262144"];
    const answers = await Promise.all(Array.from({ length: 200 }, () => raw(head)));
    for (const answer of answers) expect(answer).toMatch(/^HTTP\/1\.1 401 [\s\S]*connection: close/i);
  });

  it("does not prevent that an authentic webhook is stored", async () => {
    const head = ["POST /calllog HTTP/1.1", "host: gateway", "content-length: 262144"];
    const flood = Array.from({ length: 300 }, () => raw(head));
    expect((await gateway.deliver(callEndedEvent({ task_id: 45 }))).status).toBe(200);
    await Promise.all(flood);
    expect(await revisions(45)).toHaveLength(1);
  });
});

describe("A46: the webhook route over unusual HTTP", () => {
  const body = () => JSON.stringify(callEndedEvent());
  const post = (text: string, version = "1.1", more: string[] = []) => [
    `POST /calllog HTTP/${version}`,
    "host: gateway",
    authentic,
    `content-length: ${Buffer.byteLength(text)}`,
    ...more,
  ];

  it("answers with exactly 200, application/json and {}", async () => {
    const text = body();
    const answer = await raw(post(text), text);
    expect(answer).toMatch(/^HTTP\/1\.1 200 OK\r\n/);
    expect(answer).toMatch(/\r\ncontent-type: application\/json\r\n/i);
    expect(answer).toMatch(/\r\n\r\n\{\}$/);
  });

  it("answers another method with 405, and another path with 404", async () => {
    for (const method of ["GET", "PUT", "DELETE", "PATCH"]) {
      expect(await raw([`${method} /calllog HTTP/1.1`, "host: gateway", authentic])).toMatch(
        /^HTTP\/1\.1 405 [\s\S]*allow: POST/i,
      );
    }
    for (const path of ["/calllogs", "/calllog/x", "/CALLLOG", "//calllog"]) {
      expect(await raw([`POST ${path} HTTP/1.1`, "host: gateway", authentic])).toMatch(/^HTTP\/1\.1 404 /);
    }
  });

  it("serves Expect: 100-continue, HTTP/1.0, an offer of HTTP/2, and pipelining", async () => {
    const text = body();
    expect(await raw(post(text, "1.1", ["expect: 100-continue"]), text)).toMatch(/HTTP\/1\.1 200 OK/);
    expect(await raw(post(text, "1.0"), text)).toMatch(/HTTP\/1\.1 200 OK/);
    const offer = ["connection: Upgrade, HTTP2-Settings", "upgrade: h2c", "http2-settings: AAMAAABkAAQAoAAAAAIAAAAA"];
    expect(await raw(post(text, "1.1", offer), text)).toMatch(/^HTTP\/1\.1 200 OK/);
    const [first, second] = [body(), body()];
    const both = await exchange(
      port(),
      `${post(first).join("\r\n")}\r\n\r\n${first}${post(second, "1.1", ["connection: close"]).join("\r\n")}\r\n\r\n${second}`,
    );
    expect(both.match(/HTTP\/1\.1 200 OK/g)).toHaveLength(2);
  });
});

describe("A47: WEBHOOK_PATH", () => {
  it("matches only its exact path, and X-Forwarded-For gives no access", async () => {
    await using hidden = await startGateway(NO_SERVICE, { WEBHOOK_PATH: "/hooks/9f81c2" });
    const send = (path: string, headers: Record<string, string>) =>
      fetch(hidden.url + path, { method: "POST", headers, body: JSON.stringify(callEndedEvent()) });
    expect((await send("/hooks/9f81c2", { authorization: WEBHOOK_AUTHORIZATION })).status).toBe(200);
    expect((await send("/calllog", { authorization: WEBHOOK_AUTHORIZATION })).status).toBe(404);
    expect((await send("/hooks/9f81c2", { "x-forwarded-for": "127.0.0.1", forwarded: "for=127.0.0.1" })).status).toBe(
      401,
    );
  });
});
