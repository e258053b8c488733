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
    ["the newest thousand", 1001, 10],
    ["the newest mebibyte", 100, 12_000],
    ["none of more than 16 KiB", 1, 17_000],
  ])("keeps %s", (_, count, length) => {
    const { check, isAccepted } = create();
    const documents = Array.from({ length: count }, (_document, at) => `{ a${at}: serviceTimeZone }`.padEnd(length));
    for (const document of documents) check(document);
    const kept = documents.filter(isAccepted);
    expect(kept.length).toBeLessThan(count);
    expect(kept).toEqual(documents.slice(documents.length - kept.length));
  });

  it("evicts the least recently used one for the 1,001st", () => {
    const { check, isAccepted } = create();
    const documents = Array.from({ length: 1001 }, (_document, at) => `{ a${at}: serviceTimeZone }`);
    for (const document of documents.slice(0, 1000)) check(document);
    check(documents[0] ?? "");
    check(documents[1000] ?? "");
    expect(documents.filter((document) => !isAccepted(document))).toEqual([documents[1]]);
  });
});
