import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { expect, it } from "vitest";

const run = promisify(execFile);
const moduleOf = (path: string) => JSON.stringify(new URL(path, import.meta.url).href);

/** Executes a query in a process of its own. */
const program = `
  import { buildSchema, parse, validateExecutionArgs } from "graphql";
  import { createExecutor } from ${moduleOf("../../../src/graphql/executor/executor.ts")};
  const document = parse("{ name }");
  const operation = validateExecutionArgs({ schema: buildSchema("type Query { name: String }"), document });
  const execute = createExecutor({ compiles: true });
  const given = { operation, rootValue: { name: "it" }, context: () => ({}), clientSignal: () => undefined };
  console.log(JSON.stringify(await execute(given)));
`;

it.each([[[]], [["--disallow-code-generation-from-strings"]]])(
  "an operation is executed under the options of Node %j",
  async (options) => {
    const args = [...options, "--input-type=module", "--eval", program];
    const { stdout } = await run(process.execPath, args, { cwd: import.meta.dirname });
    expect(JSON.parse(stdout)).toEqual({ data: { name: "it" } });
  },
);
