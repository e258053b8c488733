import { buildSchema } from "graphql";
import { describe, expect, it } from "vitest";
import { breakingEntries, unnamedIn } from "../../scripts/contract/changelog.ts";
import { findContractBreaks, type Contract } from "../../scripts/contract/contractBreaks.ts";
import { currentContract } from "../../scripts/contract/currentContract.ts";
import { findGraphBreaks, findUndatedDeprecations } from "../../scripts/contract/graphBreaks.ts";

const GRAPH = `
  type Query { calls(first: Int = 10, kind: Kind): [Call!]! task: Task @deprecated(reason: "Use calls.") }
  enum Kind { PHONE TEST }
  input Filter { since: String }
  interface Ended { at: String }
  union Item = Call | Task
  type Call implements Ended { id: ID! at: String }
  type Task { id: ID! }
`;
const breaksOf = (from: string, to: string) =>
  findGraphBreaks(buildSchema(GRAPH), buildSchema(GRAPH.replace(from, to))).map(({ name }) => name);

describe("A change of the graph", () => {
  it.each([
    ["a removed field", "type Call implements Ended { id: ID! at", "type Call implements Ended { at", "Call.id"],
    ["a field that may be null now", "[Call!]!", "[Call!]", "Query.calls"],
    ["an argument that must be given now", "kind: Kind)", "kind: Kind!)", "Query.calls(kind:)"],
    ["a removed argument", ", kind: Kind)", ")", "Query.calls(kind:)"],
    ["another default value", "first: Int = 10", "first: Int = 20", "Query.calls(first:)"],
    ["a removed enum value", "PHONE TEST", "PHONE", "Kind.TEST"],
    ["a new input field that must be given", "since: String", "since: String until: String!", "Filter.until"],
    ["a removed interface", "Call implements Ended", "Call", "Call"],
    ["a type that left a union", "Call | Task", "Call", "Task"],
    ["a removed type", "input Filter { since: String }", "", "Filter"],
  ])("breaks clients: %s", (_, from, to, name) => {
    expect(breaksOf(from, to)).toEqual([name]);
  });

  it.each([
    ["a new field", "type Task { id", "type Task { name: String id"],
    ["a new argument that may be left out", "kind: Kind)", "kind: Kind, last: Int)"],
    ["a field that is never null now", "task: Task", "task: Task!"],
    ["a new type", "input Filter", "type More { id: ID } input Filter"],
  ])("breaks nothing: %s", (_, from, to) => {
    expect(breaksOf(from, to)).toEqual([]);
  });

  it("deprecates with a date", () => {
    const undated = (reason: string) => findUndatedDeprecations(buildSchema(GRAPH.replace("Use calls.", reason)));
    expect(undated("Use calls.")).toEqual(["Query.task"]);
    expect(undated("Removed after 2027-13-45.")).toEqual(["Query.task"]);
    expect(undated("Use calls. Removed after 2027-06-30.")).toEqual([]);
    const others = buildSchema(`
      type Query { a(b: Int @deprecated(reason: "No.")): Int }
      enum E { F @deprecated }
      input I { j: Int @deprecated(reason: "No.") }`);
    expect(findUndatedDeprecations(others)).toEqual(["Query.a(b:)", "E.F", "I.j"]);
  });
});

describe("A change outside of the graph", () => {
  const released = currentContract();
  const change = (kind: Exclude<keyof Contract, "version">, name: string, own: object | null): Contract => {
    const { [name]: before, ...others } = released[kind];
    expect(before).toBeDefined();
    return { ...released, [kind]: own ? { ...others, [name]: { ...before, ...own } } : others };
  };

  it.each([
    ["variables", "PORT", null],
    ["variables", "PORT", { default: "8080" }],
    ["variables", "DRAIN_SECONDS", { max: 60 }],
    ["variables", "RATE_LIMIT", { min: 10 }],
    ["variables", "LOG_LEVEL", { values: ["info", "warn"] }],
    ["variables", "HOST", { values: ["127.0.0.1"] }],
    ["metrics", "switchboard_sockets", null],
    ["metrics", "switchboard_sockets", { type: "counter" }],
    ["metrics", "switchboard_webhooks_total", { labels: ["outcome", "viewer"] }],
    ["errorCodes", "UPSTREAM_TIMEOUT", null],
    ["errorCodes", "UPSTREAM_TIMEOUT", { retryable: false }],
    ["exitCodes", "usage", { code: 2 }],
    ["addresses", "/readyz", null],
    ["addresses", "/metrics", null],
    ["scopes", "people:read", null],
  ] as const)("breaks users: %s %s %j", (kind, name, own) => {
    const breaks = findContractBreaks(released, change(kind, name, own));
    expect(breaks.map((found) => found.name)).toEqual([name]);
  });

  it("breaks nothing where it adds or widens", () => {
    const wider = change("variables", "DRAIN_SECONDS", { max: 7200 });
    const more = { ...wider, metrics: { ...wider.metrics, new_total: { type: "counter", labels: [] } } };
    expect(findContractBreaks(released, more)).toEqual([]);
    const values = [...(released.variables["LOG_LEVEL"]?.values ?? []), "trace"];
    expect(findContractBreaks(released, change("variables", "LOG_LEVEL", { values }))).toEqual([]);
  });

  it("says what changed", () => {
    const [found] = findContractBreaks(released, change("variables", "PORT", { default: "8080" }));
    expect(found?.change).toBe('The variable PORT changed its default from "4000" to "8080"');
  });
});

describe("The changelog", () => {
  const changelog = `# Changelog

## Unreleased

### Added

- \`PORT\` is nicer.

### Changed

- Breaking: \`Call.id\` is gone; use
  \`Call.sessionId\`.

## 0.1.0

- Breaking: \`HOST\` is gone.
`;
  const named = (name: string) => unnamedIn(breakingEntries(changelog), [{ name, change: "" }]).length === 0;

  it.each([
    ["Call.id", true],
    ["Call.sessionId", true],
    ["Call", false],
    ["PORT", false],
    ["HOST", false],
  ])("names a breaking change only in an unreleased entry that says so: %s", (name, isNamed) => {
    expect(named(name)).toBe(isNamed);
  });
});
