// Runs every document of the pages against a gateway in front of a sandbox, and compares the answers that a page shows.
import { parse, print, type OperationDefinitionNode } from "graphql";
import { describe, expect, it } from "vitest";
import { endCall } from "../reconcile/endToEnd.ts";
import { connectSandbox, emptySandbox } from "../support/emptySandbox.ts";
import { startGateway, type Answer, type TestGateway } from "../support/gateway.ts";
import { openSse } from "../support/streams.ts";
import { allBlocks, blocksOf, pages, type Block } from "./blocks.ts";

const TASK = "424242";
/** It shows documents of a larger graph: `npm run test:routers` runs them. */
const OTHER_GRAPHS = ["docs/federation.md"];
/** Its documents need an alert: test/alerts/documented.test.ts runs them. */
const OTHER_TESTS = ["docs/alerts.md"];

const documentsOf = (page: string) => blocksOf(page).filter(({ language }) => language === "graphql");
const withDocuments = pages.filter(
  (page) => ![...OTHER_GRAPHS, ...OTHER_TESTS].includes(page) && documentsOf(page).length > 0,
);

/** The blocks of JSON that follow a document: its variables, and its answer. */
function followers(block: Block): { variables?: object; data?: unknown } {
  const at = allBlocks.findIndex((each) => each.page === block.page && each.code === block.code);
  const found: { variables?: object; data?: unknown } = {};
  for (const { page, language, code } of allBlocks.slice(at + 1, at + 3)) {
    if (page !== block.page || language !== "json") break;
    const value = JSON.parse(code) as { data?: unknown };
    if (value.data === undefined) found.variables = value;
    else found.data = value.data;
  }
  return found;
}

/** A block may have several operations, each for itself. */
const operationsIn = ({ code }: Block) =>
  parse(code).definitions.filter((definition) => definition.kind === "OperationDefinition");

async function firstAnswer(
  gateway: TestGateway,
  operation: OperationDefinitionNode,
  variables: object,
  end: () => void,
): Promise<Pick<Answer<Record<string, unknown>>, "data" | "errors">> {
  const query = print(operation);
  if (operation.operation !== "subscription") return gateway.ask(query, variables);
  await using stream = await openSse<Record<string, unknown>>(gateway.url, { query, variables });
  end();
  return (await stream.next()) as Answer<Record<string, unknown>>;
}

describe.concurrent("The documents of the pages", () => {
  it.each(withDocuments)("run as they stand in %s", async (page) => {
    await using sandbox = await emptySandbox();
    await using gateway = await startGateway(sandbox, { RECORDING_HOSTS: new URL(sandbox.url).host });
    connectSandbox(sandbox, gateway);
    sandbox.control.seed({ tasks: [{ id: Number(TASK), name: "Here" }] });
    // For variables that no block names.
    let known: Record<string, unknown> = { first: 5, after: null, taskId: TASK };
    for (const block of documentsOf(page)) {
      const { variables, data: shown } = followers(block);
      for (const operation of operationsIn(block)) {
        const end = () => void endCall(sandbox, { taskId: TASK });
        const { data, errors } = await firstAnswer(gateway, operation, variables ?? known, end);
        expect([block.code, errors]).toEqual([block.code, undefined]);
        if (shown !== undefined) expect(data).toEqual(shown);
        const created = (data?.["createTask"] as { submission?: { id: string } } | undefined)?.submission;
        known = { ...variables, ...known, ...(created ? { id: created.id } : {}) };
      }
    }
  });
});

describe("docs/errors.md", () => {
  it("shows messages that the gateway gives", async () => {
    await using gateway = await startGateway({ url: "http://127.0.0.1:9" }, { INTROSPECTION: "on" });
    const [, shown] = blocksOf("docs/errors.md");
    const { input } = JSON.parse(blocksOf("docs/creating-tasks.md")[1]?.code ?? "") as { input: { option: object } };
    const wrong = { ...input, option: { ...input.option, retryCount: 1.5 } };
    const queries = [
      "{ callLogs { nodez } }",
      "mutation ($input: CreateTaskInput!) { createTask(input: $input) { replayed } }",
    ];
    const given: string[] = [];
    for (const query of queries)
      given.push(...((await gateway.ask(query, { input: wrong })).errors ?? []).map(({ message }) => message));
    for (const line of shown?.code.trim().split("\n") ?? []) expect(given).toContain(line);
  });
});
