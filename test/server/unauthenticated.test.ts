import { expect, it } from "vitest";
import { unauthenticated } from "../../src/server/refusals.ts";

it.each([
  [undefined, /^Credentials are required: Authorization: Bearer <key>\.$/],
  ["key-of-reader", /must be: Bearer <key or token>/],
  ["Basic cmVhZGVyOg==", /must be: Bearer <key or token>/],
  ["Bearer", /must be: Bearer <key or token>/],
  ["Bearer a b", /must be: Bearer <key or token>/],
  ["bearer wrong", /^The key or token in the header Authorization is not valid\.$/],
])("the refusal of the header %j says why, and nothing of the header", (authorization, message) => {
  const refusal = unauthenticated(authorization);
  expect(refusal).toMatchObject({
    status: 401,
    code: "UNAUTHENTICATED",
    message: expect.stringMatching(message) as string,
  });
  expect(refusal.message).not.toMatch(/key-of-reader|cmVh|wrong/);
});
