import { describe, expect, it } from "vitest";
import { createDocumentCache } from "../../../src/graphql/documents/documentCache.ts";
import { createGraphqlErrors } from "../../../src/graphql/graphqlErrors.ts";
import { schema } from "../../../src/schema/schema.ts";

const create = () =>
  createDocumentCache({
    schema,
    introspection: true,
    maxTokens: 1000,
    protocolErrors: createGraphqlErrors(new Set()),
  });

describe("the cache of valid documents", () => {
  it("is empty after a phone number was erased", () => {
    const { check, isAccepted, forget } = create();
    const document = "{ serviceTimeZone }";
    check(document);
    expect([isAccepted(document), check(document)]).toEqual([true, check(document)]);
    forget();
    expect(isAccepted(document)).toBe(false);
  });

  it.each([
    ["a thousand of them", 1001, 10],
    ["a mebibyte of them", 100, 12_000],
    ["none of more than 16 KiB", 1, 17_000],
  ])("keeps %s", (_, count, length) => {
    const { check, isAccepted } = create();
    const documents = Array.from({ length: count }, (_document, at) => `{ a${at}: serviceTimeZone }`.padEnd(length));
    for (const document of documents) check(document);
    const kept = documents.filter(isAccepted);
    expect(kept.length).toBeLessThan(count);
    expect(kept.length).toBe(kept.filter((document, at) => document === documents.at(at - kept.length)).length);
  });
});
