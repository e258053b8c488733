// Answers of services as they were met, read as the service's list.
import { describe, expect, it } from "vitest";
import { retryAfterSeconds } from "../../src/upstream/serviceResponse.ts";
import { retryTimes, serviceAnswers } from "../corpus/serviceAnswers.ts";
import { callLogQuery, serve, upstreamAt } from "./service.ts";

// Together, because a status that is tried again takes a while.
describe.concurrent("An answer of a service", () => {
  it.each(serviceAnswers)("with $what is read, or told by its code", async ({ status, headers, body, right }) => {
    await using service = await serve((response) => response.writeHead(status ?? 200, headers).end(body));
    await using upstream = upstreamAt(service.url);
    const answer = await upstream.listCallLogs(callLogQuery()).catch((error: unknown) => error);
    expect(answer).toMatchObject(right);
  });
});

it.each(retryTimes)("Retry-After with $what is $seconds seconds", ({ header, seconds }) => {
  expect(retryAfterSeconds(header)).toBe(seconds);
});
