import { describe, expect, it } from "vitest";
import { openConnection, postBytes } from "../../bench/support/connection.ts";
import { startGateway } from "../../bench/support/gateway.ts";
import { taskBodies } from "../../bench/support/taskBodies.ts";
import { megabytes } from "../support/measuring/memory.ts";

const MAX_MEMORY_MB = 600;
/** Enough for the garbage of several bodies to be in memory at once. */
const BODIES = 12;

describe.runIf(process.platform === "linux")("A76: large bodies of createTask, one after another", () => {
  it.each(["objects of different shapes", "variables of 100,000 numbers, without a name"])(
    "leave the process under 600 MB: %s",
    async (name) => {
      await using gateway = await startGateway({ scopes: ["tasks:create"] });
      const body = (taskBodies[name] as () => string)();
      const bytes = postBytes("/graphql", gateway.authorization, body);
      const connection = await openConnection(gateway.url);
      const before = megabytes(Number(gateway.pid), "VmHWM");
      const { length } = await connection.send(bytes);
      for (let sent = 1; sent < BODIES; sent += 1) expect((await connection.send(bytes)).length).toBe(length);
      connection.close();
      const most = megabytes(Number(gateway.pid), "VmHWM");
      // The bodies were parsed, and not refused unread.
      expect(most - before).toBeGreaterThan(100);
      expect(most).toBeLessThan(MAX_MEMORY_MB);
    },
  );
});
