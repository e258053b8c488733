import { getNamedType, isInputObjectType, type GraphQLObjectType } from "graphql";
import { beforeAll, describe, expect, it } from "vitest";
import { commandsPage } from "../../scripts/reference/commandsPage.ts";
import { errorsPage } from "../../scripts/reference/errorsPage.ts";
import { graphPage } from "../../scripts/reference/graphPage.ts";
import { typesPage } from "../../scripts/reference/typesPage.ts";
import { errorCodes } from "../../src/errors.ts";
import { schema } from "../../src/schema/schema.ts";
import { type Directory, NO_SERVICE, startGateway, temporaryDirectory } from "../support/gateway.ts";
import { documentPaths, textAt } from "../house/sources.ts";
import { bearer, writeKeys } from "../support/keys.ts";

const ROOTS = ["Query", "Mutation", "Subscription"];
const fieldsOf = (name: string) => Object.values((schema.getType(name) as GraphQLObjectType).getFields());

describe("The reference of the graph", () => {
  it("has each root field with its arguments and each field of its filter", () => {
    const page = graphPage();
    const wanted = ROOTS.flatMap((root) =>
      fieldsOf(root).flatMap(({ name, args }) => args.map((argument) => ({ at: `${root}.${name}`, argument }))),
    );
    expect(wanted.length).toBeGreaterThan(40);
    for (const { at, argument } of wanted) {
      const [, part = ""] = page.split(`\n### ${at}\n`);
      const type = getNamedType(argument.type);
      const isFilter = argument.name === "filter" && isInputObjectType(type);
      const below = isFilter ? Object.keys(type.getFields()).map((field) => `filter { ${field} }`) : [];
      for (const name of [argument.name, ...below]) expect(part.split("\n### ")[0]).toContain(`| \`${name}\` |`);
    }
  });

  it("tells scopes and costs", () => {
    expect(graphPage()).toMatch(/### Query\.callLogs\n[^]*?Scope: `calls:read`\. Cost: 1 to \d+ requests/);
    expect(graphPage()).toContain("Scope: `tasks:create` or `tasks:propose`.");
    expect(graphPage()).toMatch(/\| `filter \{ phone \}` \| `String` \| – \| `people:read` \|/);
    expect(typesPage()).toMatch(/\| `prompt` \| `String` \| `assistants:prompts` \|/);
  });

  it("has each type with each of its fields", () => {
    const page = typesPage();
    for (const type of Object.values(schema.getTypeMap())) {
      if (type.name.startsWith("__") || ROOTS.includes(type.name) || !("getFields" in type)) continue;
      const [, part = ""] = page.split(`\n### ${type.name}\n`);
      for (const name of Object.keys(type.getFields())) expect(part.split("\n### ")[0]).toContain(`| \`${name}\` |`);
    }
  });
});

describe("The reference of errors", () => {
  const page = errorsPage();
  /** The messages of a code. */
  const messagesOf = (code: string) => {
    const [, part = ""] = page.split(`\n### ${code}\n`);
    return [...(part.split("\n### ")[0] ?? "").matchAll(/^- `(.+)`(?: \d+)?$/gm)].map(([, message = ""]) => message);
  };
  const isListed = (code: string, message: string) =>
    messagesOf(code).some((listed) =>
      new RegExp(`^${listed.split("…").map(RegExp.escape).join("[^]+")}$`).test(message),
    );

  it("has messages for each code that is not of graphql-js", () => {
    const without = Object.keys(errorCodes).filter((code) => messagesOf(code).length === 0);
    expect(without).toEqual(["GRAPHQL_PARSE_FAILED", "GRAPHQL_VALIDATION_FAILED"]);
  });

  let directory: Directory;
  beforeAll(async () => {
    directory = await temporaryDirectory();
    return () => directory[Symbol.asyncDispose]();
  });

  it("has the messages that a gateway gives", async () => {
    const API_KEYS_FILE = await writeKeys(directory.path, { web: ["calls:read", "tasks:create"] });
    await using gateway = await startGateway(NO_SERVICE, { API_KEYS_FILE, UPSTREAM_TIMEOUT_MS: "2000" });
    const queries = [
      "{ callLogs(first: 101) { totalCount } }",
      "{ callLogs(filter: { taskIds: [1,2,3,4,5,6,7,8,9,10,11] }) { totalCount } }",
      '{ callEndedEvents(after: "nonsense") { headCursor } }',
      "{ doNotCall { count } }",
      "{ callLogs(first: 1) { totalCount } }",
      "{ tasks(first: 100) { nodes { callLogs(first: 100) { nodes { task { callLogs { totalCount } } } } } } }",
    ];
    const given: { message: string; extensions?: Record<string, unknown> }[] = [];
    for (const query of queries) {
      const { errors } = await gateway.ask(query, {}, { authorization: bearer("web") });
      given.push(...(errors ?? []));
    }
    given.push(...((await gateway.ask("{ __typename }", {}, { authorization: "Bearer wrong" })).errors ?? []));
    expect(given.length).toBe(queries.length + 1);
    const unlisted = given.filter(({ message, extensions }) => !isListed(String(extensions?.["code"]), message));
    expect(unlisted).toEqual([]);
  });
});

it("The reference of commands has each command with its options", () => {
  const page = commandsPage();
  expect(page).toContain("\n## do-not-call remove FILE\n\nRemove them");
  expect(page).toMatch(/## key --name NAME\n\nCreate[^#]+\| `--scopes A,B` \| The key's scopes/);
  expect(page.match(/^## /gm)?.length).toBeGreaterThan(20);
});

it("Every page says for which version it is written, and it is this one", () => {
  const pages = documentPaths().filter((path) => path.startsWith("docs/"));
  const { version } = JSON.parse(textAt("package.json")) as { version: string };
  const sayings = pages.map((path) => ({
    path,
    said: /(?:Written for|the code of) version ([\w.]+\w)/.exec(textAt(path))?.[1],
  }));
  expect(sayings.filter(({ said }) => said !== version)).toEqual([]);
});
