import { expect, it } from "vitest";
import { UsageError } from "../../../src/commands/options.ts";
import { changeCommand, testCommand } from "../../../src/commands/remote/destinationCommands.ts";

/** Nothing listens there: a command that asks the gateway fails in another way. */
const options = { url: "http://127.0.0.1:9" };

it("destinations pause, resume and test without a name say what is needed, and ask no gateway", async () => {
  const commands = [
    changeCommand("pause", "", options, {}),
    changeCommand("resume", "", options, {}),
    testCommand("", options, {}),
  ];
  for (const command of commands)
    await expect(command).rejects.toThrow(
      new UsageError("The name of a destination is needed, as DESTINATIONS_FILE has it."),
    );
});
