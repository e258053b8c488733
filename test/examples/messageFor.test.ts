import { expect, it } from "vitest";
import { gatewayError, messageFor } from "../../examples/shared/messageFor.ts";
import { errorCodes } from "../../src/errors.ts";

it("messageFor says what to do about each error code, and shows a code that it does not know", () => {
  for (const code of [...Object.keys(errorCodes), "A_LATER_CODE"]) {
    const message = messageFor(gatewayError({ code }));
    expect(message).toMatch(/(Enter|Ask|Try|Choose|Reload|Tell) [^.]+\.$/);
  }
  expect(messageFor(gatewayError({ code: "A_LATER_CODE" }))).toContain("A_LATER_CODE");
});

it("messageFor tells how long to wait, and that an answer was lost", () => {
  expect(messageFor(gatewayError({ code: "RATE_LIMITED", retryAfter: 7 }))).toContain("in 7 seconds");
  expect(messageFor(gatewayError(undefined))).toContain("not reached");
});
