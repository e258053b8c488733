import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";
import { startProgram } from "../support/program.ts";

const OUTPUT = fileURLToPath(new URL("../../src/commands/output.ts", import.meta.url));
/** More than a pipe holds, so that most of the output is still waiting when the command ends. */
const LINES = 20_000;

it("exitWith ends the process after the whole output was read", async () => {
  const script = `import { exitWith } from ${JSON.stringify(OUTPUT)};
    process.stdout.write("a line of a hundred characters or so, which stands for an entry of the log that was printed\\n".repeat(${LINES}));
    await exitWith(3);`;
  await using program = startProgram(["--input-type=module", "--eval", script], {});
  expect(await program.exited).toBe(3);
  expect(program.output).toHaveLength(LINES);
});
