import { expect, it } from "vitest";
import { readAccept } from "../../../src/server/graphql/accept.ts";

it.each([
  ["application/json", true],
  ["application/json; charset=utf-8", true],
  ["application/json; Charset=UTF-8", true],
  ["application/json; charset=iso-8859-1", false],
  ["application/json; charset=iso-8859-1, text/event-stream", true],
  ["image/png", false],
  ["application/*", true],
])("Accept: %s allows a type that the gateway has: %s", (accept, isSupported) => {
  expect(readAccept(accept).isSupported).toBe(isSupported);
});
