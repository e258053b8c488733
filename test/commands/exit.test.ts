import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";
import { startProgram } from "../support/program.ts";

const EXIT = fileURLToPath(new URL("../../src/commands/exit.ts", import.meta.url));
/** More than a pipe holds, so that most of it waits when the command is over. */
const LINES = 20_000;

it("a command that is over ends when its whole output was taken", async () => {
  const script = `import { exitWith } from ${JSON.stringify(EXIT)};
    process.stdout.write("a line of a hundred characters or so, which stands for an entry of the log that was printed\\n".repeat(${LINES}));
    await exitWith(3);`;
  await using program = startProgram(["--input-type=module", "--eval", script], {});
  expect(await program.exited).toBe(3);
  expect(program.output).toHaveLength(LINES);
});
