import { describe, expect, it } from "vitest";
import { createProbeClient } from "../../src/doctor/probeClient.ts";
import { CodedError } from "../../src/errors.ts";

const UNREACHABLE = new CodedError("UPSTREAM_UNAVAILABLE", "The service cannot be reached.");
const EMPTY = { status: 200, retryAfter: undefined, text: '{"items":[],"total":0,"pageIndex":1,"pageSize":100}' };

/** A client of a service that fails the requests with these numbers, counted from 1. */
function clientThatFails(...failing: number[]) {
  let sent = 0;
  const get = async () => {
    sent += 1;
    if (failing.includes(sent)) throw UNREACHABLE;
    return EMPTY;
  };
  const service = { get, async [Symbol.asyncDispose]() {} };
  return createProbeClient(service, { requests: 100, pauseMs: 0 });
}

const NO_ANSWER = { page: null, status: 0 };
const ANSWERED = { page: { rows: [], items: "empty", total: 0, pageSize: 100, date: null } };

describe("The doctor's client", () => {
  it("fails if its first request fails", async () => {
    await expect(clientThatFails(1).listCalls({})).rejects.toBe(UNREACHABLE);
  });

  it("goes on after two failures in a row, and fails at the third", async () => {
    const client = clientThatFails(2, 3, 4);
    expect(await client.listCalls({})).toEqual(ANSWERED);
    expect(await client.listCalls({})).toEqual(NO_ANSWER);
    await expect(client.listCalls({})).rejects.toBe(UNREACHABLE);
  });

  it("forgets failures after an answer", async () => {
    const client = clientThatFails(2, 3, 5, 6);
    await client.listCalls({});
    expect(await client.listCalls({})).toEqual(NO_ANSWER);
    expect(await client.listCalls({})).toEqual(ANSWERED);
    expect(await client.listCalls({})).toEqual(NO_ANSWER);
  });
});
