import { describe, expect, it } from "vitest";
import { httpDateMs } from "../../src/format/instant.ts";

describe("A date of HTTP", () => {
  // https://www.rfc-editor.org/rfc/rfc9110#section-5.6.7
  it.each(["Sun, 06 Nov 1994 08:49:37 GMT", "Sunday, 06-Nov-94 08:49:37 GMT", " Sun, 06 Nov 1994 08:49:37 GMT "])(
    "%j is read",
    (header) => {
      expect(httpDateMs(header)).toBe(784_111_777_000);
    },
  );

  it.each([undefined, "", "3.5", "GMT", "0", "-1", "Sun Nov  6 08:49:37 1994", "1994-11-06T08:49:37"])(
    "%j is none",
    (header) => {
      expect(httpDateMs(header)).toBeNaN();
    },
  );
});
