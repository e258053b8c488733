import { expect, it } from "vitest";
import { quarantineCommand } from "../../../src/commands/remote/quarantineCommand.ts";

it("switchboard quarantine refuses --reprocess together with --discard, before it asks a gateway", async () => {
  const both = quarantineCommand({ url: "http://127.0.0.1:1", reprocess: "all", discard: "all" }, {});
  await expect(both).rejects.toThrow("--reprocess and --discard exclude each other.");
});
