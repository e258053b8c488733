import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { startGateway } from "../support/gateway.ts";
import { startBoth } from "../support/startBoth.ts";
import { taskInputFor } from "./submitting.ts";

const { sandbox, gateway } = await startBoth();
const types = fc.oneof(
  fc.constantFrom("text/html", "image/png", "text/plain", "garbage", "", "/", "application/graphql+json"),
  fc.constantFrom("*/*", "application/*", "*/json", "text/*", "multipart/mixed", "multipart/form-data"),
  fc.constantFrom("application/json", "APPLICATION/JSON", "application/graphql-response+json", "text/event-stream"),
);
const parameters = fc.constantFrom("", ";q=0.9", ";q=0", "; charset=utf-8", ";charset=utf-16", ";charset=UTF-8;q=1");
const accepts = fc
  .array(fc.tuple(types, parameters), { minLength: 1, maxLength: 3 })
  .map((all) => all.map((one) => one.join("")).join(", "));

async function create(url: string, accept: string): Promise<number> {
  const { assistants } = await sandbox.control<{ assistants: { id: string }[] }>("GET", "");
  const input = taskInputFor(assistants[0]?.id);
  const query =
    "mutation ($input: CreateTaskInput!) { createTask(input: $input) { submission { status } errors { code message } } }";
  const response = await fetch(`${url}/graphql`, {
    method: "POST",
    headers: { "content-type": "application/json", accept },
    body: JSON.stringify({ query, variables: { input } }),
  });
  const text = await response.text();
  if (response.status === 406) expect(text).toContain("BAD_USER_INPUT");
  else expect(text).toContain("ACCEPTED");
  return response.status;
}

describe("a createTask request with an unacceptable Accept header", () => {
  it.each(["on", "off"])("is refused before a task is created, with FAST_PATH %s", async (FAST_PATH) => {
    await using other = await startGateway(sandbox, { FAST_PATH });
    await fc.assert(
      fc.asyncProperty(accepts, async (accept) => {
        await sandbox.forget();
        const status = await create(other.url, accept);
        const posts = (await sandbox.requests()).filter(({ method }) => method === "POST");
        expect([accept, posts.length]).toEqual([accept, status === 406 ? 0 : 1]);
      }),
      { numRuns: 40 },
    );
  });

  it("is refused by GET, too", async () => {
    const headers = { accept: "image/png", "x-switchboard-preflight": "1" };
    const response = await fetch(`${gateway.url}/graphql?query={__typename}`, { headers });
    expect([response.status, await response.text()]).toEqual([406, expect.stringContaining("BAD_USER_INPUT")]);
  });
});
