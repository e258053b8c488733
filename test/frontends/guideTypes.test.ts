// The configurations of docs/frontends/types.md, run as printed by the generators that they are for.
import { readFileSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import { minifyIntrospection, outputIntrospectionFile } from "@gql.tada/internal";
import { buildSchema, introspectionFromSchema } from "graphql";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { textAt } from "../house/sources.ts";
import { clientOf } from "../client/clients.ts";
import { startGateway } from "../support/gateway.ts";
import { createGuideApp, type GuideApp } from "./guideApp.ts";
import { guideBlock } from "./guide.ts";

const FIELDS = "callEndedEvents(first: 20) { headCursor nodes { endAt extra } }";
/** Uses the type `Result` of the operation: endAt is a text, extra is an object with unknown values. */
const USE = `
type Call = NonNullable<Result["callEndedEvents"]>["nodes"][number];
export const endAt = (call: Call): string | null | undefined => call.endAt;
export const name = (call: Call): unknown => call.extra?.["name"];
// @ts-expect-error A scalar with a type of its own is not any.
export const wrong = (call: Call): number | null | undefined => call.endAt;
// @ts-expect-error A value of JSON has to be looked at first.
export const long = (call: Call): string => call.extra?.["name"].trim();`;

const OPERATIONS = `
import { graphql } from "./gql";
export const Calls = graphql(\`query Calls { ${FIELDS} }\`);`;

describe("codegen.yml of docs/frontends/types.md", () => {
  const config = guideBlock("graphql-codegen", "yaml");
  let app: GuideApp;
  beforeAll(async () => {
    app = await createGuideApp({ "codegen.yml": config, "src/operations.ts": OPERATIONS });
    await app.copy("examples/react-apollo/possibleTypes.ts", "possibleTypes.ts");
  });
  afterAll(() => app[Symbol.asyncDispose]());

  it("makes texts that switchboard-client types, and the ID by which a gateway trusts them", async () => {
    await app.run("graphql-codegen");
    const client = `import { createSwitchboardClient } from "switchboard-client";
      import { CallsDocument } from "./gql/graphql";
      export const answer = await createSwitchboardClient({ url: "/graphql" }).query(CallsDocument);
      type Result = typeof answer;`;
    const ask = `import { CallsDocument } from "./gql/graphql";\n${guideBlock("Trusted documents", "ts")}\nexport { response };`;
    await writeFile(app.path("src/client.ts"), `${client}${USE}`);
    await writeFile(app.path("src/ask.ts"), ask);
    expect(await app.typeFaults()).toBe("");
    const env = { TRUSTED_DOCUMENTS: app.path("src/gql/persisted-documents.json") };
    await using gateway = await startGateway({ url: "http://127.0.0.1:9" }, env);
    await writeFile(
      app.path("src/ask.ts"),
      ask.replace('"/graphql"', `"${gateway.url}/graphql"`).replace("gql/graphql", "gql/graphql.ts"),
    );
    const { response } = await app.load<{ response: Response }>("src/ask.ts");
    expect(await response.json()).toMatchObject({ data: { callEndedEvents: { nodes: [] } } });
    const { CallsDocument } = await app.load<{ CallsDocument: { toString(): string } }>("src/gql/graphql.ts");
    const manifest = JSON.parse(await app.read("src/gql/persisted-documents.json")) as Record<string, string>;
    const [text = ""] = Object.values(manifest);
    await using sender = clientOf(gateway);
    expect(await sender.query(text)).toMatchObject({ callEndedEvents: { nodes: [] } });
    await expect(sender.query(CallsDocument.toString())).rejects.toMatchObject({ code: "DOCUMENT_NOT_TRUSTED" });
  });

  it("makes documents for Apollo Client and urql without documentMode, and the possible types of interfaces", async () => {
    const line = /^ +documentMode: string.*\n/m;
    expect(config).toMatch(line);
    await writeFile(app.path("codegen.yml"), config.replace(line, ""));
    await app.run("graphql-codegen");
    const apollo = `import { ApolloClient, HttpLink, InMemoryCache } from "@apollo/client";
      import { CallsDocument } from "./gql/graphql";
      import { possibleTypes } from "./gql/possibleTypes";
      const cache = new InMemoryCache({ possibleTypes });
      const client = new ApolloClient({ link: new HttpLink({ uri: "/graphql" }), cache });
      const { data } = await client.query({ query: CallsDocument });
      type Result = NonNullable<typeof data>;`;
    const urql = `import { Client } from "urql";
      import { CallsDocument } from "./gql/graphql";
      const { data } = await new Client({ url: "/graphql", exchanges: [] }).query(CallsDocument, {}).toPromise();
      type Result = NonNullable<typeof data>;`;
    await writeFile(app.path("src/client.ts"), `${apollo}${USE}`);
    await writeFile(app.path("src/ask.ts"), `${urql}${USE}`);
    expect(await app.typeFaults()).toBe("");
    const committed = textAt("examples/react-apollo/src/gql/possibleTypes.ts");
    expect(await app.read("src/gql/possibleTypes.ts")).toBe(committed);
  });
});

/** The command of gql.tada needs the programming interface of TypeScript before version 7, so its writer is called. */
it("the configuration of gql.tada in docs/frontends/types.md types a document", async () => {
  type Config = { compilerOptions: { plugins: [{ name: string; schema: string; tadaOutputLocation: string }] } };
  const { compilerOptions } = JSON.parse(guideBlock("gql.tada", "json")) as Config;
  const [{ name, schema, tadaOutputLocation }] = compilerOptions.plugins;
  expect(import.meta.resolve(name)).toMatch(/gql\.tada/);
  const operations = `import type { ResultOf } from "gql.tada";
    import { graphql } from "./graphql";
    export const Calls = graphql(\`query Calls { ${FIELDS} }\`);
    type Result = ResultOf<typeof Calls>;`;
  const files = { "src/graphql.ts": guideBlock("gql.tada", "ts"), "src/operations.ts": `${operations}${USE}` };
  await using app = await createGuideApp(files);
  const introspection = introspectionFromSchema(buildSchema(readFileSync(app.path(schema), "utf8")));
  const types = outputIntrospectionFile(minifyIntrospection(introspection), { fileType: tadaOutputLocation });
  await writeFile(app.path(tadaOutputLocation), types);
  expect(await app.typeFaults()).toBe("");
});

it("relay.config.json of docs/frontends/types.md types a document and writes a manifest", async () => {
  const operations = `import { graphql } from "react-relay";
    export const calls = graphql\`query operationsQuery { ${FIELDS} }\`;
    import type { operationsQuery } from "./__generated__/operationsQuery.graphql";
    type Result = operationsQuery["response"];`;
  await using app = await createGuideApp({
    "relay.config.json": guideBlock("relay-compiler", "json"),
    "persisted-documents.json": "{}",
    "src/operations.ts": `${operations}${USE}`,
  });
  await app.run("relay-compiler");
  expect(await app.typeFaults()).toBe("");
  expect(Object.values(JSON.parse(await app.read("persisted-documents.json")) as object)).toHaveLength(1);
});
