import { describe, expect, it } from "vitest";
import { mergeParts } from "./mergeParts.ts";
import { operationOf, partsOf, schema } from "./partsOf.ts";

const item = (own: object = {}) => ({ id: "1", text: "t", int: 7, sure: "s", ...own });
const ask = async (query: string, rootValue: object, variables = {}) =>
  JSON.parse(JSON.stringify(await partsOf(operationOf(query, rootValue, variables)))) as Awaited<
    ReturnType<typeof partsOf>
  >;

describe("@defer", () => {
  it("is never pending for a fragment whose fields are selected around it", async () => {
    const parts = await ask("{ item { __typename id ... @defer { __typename id } } }", { item: item() });
    expect(parts).toEqual([{ data: { item: { __typename: "Item", id: "1" } } }]);
  });

  it("leaves out what is selected around it", async () => {
    const parts = await ask('{ item { __typename id ... @defer(label: "rest") { __typename id text } } }', {
      item: item(),
    });
    expect(parts).toEqual([
      {
        data: { item: { __typename: "Item", id: "1" } },
        pending: [{ id: "0", path: ["item"], label: "rest" }],
        hasNext: true,
      },
      { incremental: [{ id: "0", data: { text: "t" } }], completed: [{ id: "0" }], hasNext: false },
    ]);
  });

  it("divides an object that is also selected around it", async () => {
    const parts = await ask("{ item { id } ... @defer { item { id text } } }", { item: item() });
    expect(parts[0]).toEqual({ data: { item: { id: "1" } }, pending: [{ id: "0", path: [] }], hasNext: true });
    expect(parts[1]?.incremental).toEqual([{ id: "0", data: { text: "t" }, subPath: ["item"] }]);
  });

  it("executes a field of two fragments once, and completes both", async () => {
    let reads = 0;
    const counted = Object.defineProperty(item(), "text", { get: () => `${(reads += 1)}` });
    const parts = await ask("{ item { ... @defer { id text } ... @defer { text int } } }", { item: counted });
    expect([mergeParts(parts).data, reads]).toEqual([{ item: { id: "1", text: "1", int: 7 } }, 1]);
    expect(parts.at(-1)?.completed).toHaveLength(2);
  });

  it("begins a fragment in a fragment when the outer one is complete", async () => {
    const parts = await ask('{ ... @defer(label: "a") { item { id ... @defer(label: "b") { text } } } }', {
      item: item(),
    });
    expect(parts[0]?.pending).toEqual([{ id: "0", path: [], label: "a" }]);
    expect(parts.slice(1).flatMap(({ pending = [] }) => pending)).toEqual([{ id: "1", path: ["item"], label: "b" }]);
    expect(mergeParts(parts)).toEqual({ data: { item: { id: "1", text: "t" } }, left: 0 });
  });

  it("is decided by its variable", async () => {
    const query = "query ($if: Boolean!) { id ... @defer(if: $if) { text } }";
    expect(await ask(query, item(), { if: false })).toEqual([{ data: { id: "1", text: "t" } }]);
    expect(await ask(query, item(), { if: true })).toHaveLength(2);
  });

  it("fails as a whole by an error at a non-null field, with the path of the field", async () => {
    const failing = item({ sure: new Error("It fails.") });
    const parts = await ask("{ item { id ... @defer { text sure } } }", { item: failing });
    expect(parts[0]?.data).toEqual({ item: { id: "1" } });
    expect(parts[1]?.incremental).toBeUndefined();
    expect(parts[1]?.completed).toMatchObject([
      { id: "0", errors: [{ message: "It fails.", path: ["item", "sure"] }] },
    ]);
  });

  it("is not pending below a place that an error has set to null", async () => {
    const parts = await ask("{ item { sure item { ... @defer { id } } } }", {
      item: item({ sure: null, item: item() }),
    });
    expect(parts).toMatchObject([{ data: { item: null }, errors: [{ path: ["item", "sure"] }] }]);
  });
});

describe("@stream", () => {
  const items = (count: number) => Array.from({ length: count }, (_, at) => item({ id: String(at) }));

  it("sends the first items at once, and many others in one part", async () => {
    const parts = await ask("{ items @stream(initialCount: 2) { id } }", { items: items(50) });
    expect(parts[0]).toMatchObject({ data: { items: [{ id: "0" }, { id: "1" }] }, pending: [{ path: ["items"] }] });
    // On a busy machine it may be several: a part ends after two milliseconds.
    expect(parts.length).toBeLessThan(25);
    expect(mergeParts(parts)).toEqual({ data: { items: items(50).map(({ id }) => ({ id })) }, left: 0 });
  });

  it("is not pending without a rest", async () => {
    expect(await ask("{ items @stream(initialCount: 2) { id } }", { items: items(2) })).toHaveLength(1);
  });

  it("sends items in order, and those before one that is waited for", async () => {
    const last = Promise.withResolvers<unknown>();
    const rootValue = {
      items: [item({ id: Promise.resolve("0") }), item({ id: "1" }), last.promise, item({ id: "3" })],
    };
    const asked = ask("{ items @stream { id } }", rootValue);
    setImmediate(() => last.resolve(item({ id: "2" })));
    const parts = await asked;
    expect(parts.flatMap(({ incremental = [] }) => incremental.map((entry) => entry.items?.length))).toEqual([2, 2]);
    expect(mergeParts(parts).data).toEqual({ items: ["0", "1", "2", "3"].map((id) => ({ id })) });
  });

  it("ends at an item that may not be null, after the items before it", async () => {
    const broken = item({ sure: new Error("It fails.") });
    const parts = await ask("{ sureItems @stream { sure } }", { sureItems: [item(), broken, item()] });
    expect(parts.flatMap(({ incremental = [] }) => incremental)).toEqual([{ id: "0", items: [{ sure: "s" }] }]);
    expect(parts.flatMap(({ completed = [] }) => completed)).toMatchObject([
      { id: "0", errors: [{ path: ["sureItems", 1, "sure"] }] },
    ]);
  });

  it("handles the error of an item that waits for its turn", async () => {
    const rejected = Promise.reject(new Error("It fails."));
    const parts = await ask("{ items @stream { id } }", { items: [item(), rejected] });
    expect(mergeParts(parts).data).toEqual({ items: [{ id: "1" }, null] });
    expect(parts.flatMap(({ incremental = [] }) => incremental.flatMap(({ errors = [] }) => errors))).toMatchObject([
      { message: "It fails.", path: ["items", 1] },
    ]);
  });

  it("divides the outermost of nested lists alone", async () => {
    const parts = await ask("{ grid @stream }", { grid: [[1, 2], [3]] });
    const sent = parts.flatMap(({ incremental = [] }) => incremental.flatMap((entry) => entry.items));
    expect(sent).toEqual([[1, 2], [3]]);
  });
});

it("a resolver in a part has the path of the whole answer", async () => {
  const field = schema.getQueryType()?.getFields()["text"];
  const own = schema.getType("Item");
  if (!field || !own || !("getFields" in own)) throw new Error("There is no field.");
  const text = own.getFields()["text"] as typeof field;
  text.resolve = (_source, _args, _context, { path }) => [path.prev?.prev?.key, path.prev?.key, path.key].join(".");
  try {
    const query = "{ items @stream { ... @defer { text } } sureItems { item { ... @defer { text } } } }";
    const parts = await ask(query, { items: [item()], sureItems: [item({ item: item() })] });
    expect(mergeParts(parts).data).toEqual({
      items: [{ text: "items.0.text" }],
      sureItems: [{ item: { text: "0.item.text" } }],
    });
  } finally {
    delete text.resolve;
  }
});
