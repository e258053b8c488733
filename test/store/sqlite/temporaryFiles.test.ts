// SQLite's own temporary files, which are as large as the log. In a container /tmp is often memory, and small.
import { spawnSync } from "node:child_process";
import { expect, it } from "vitest";
import { callEndedEvent } from "../../support/events.ts";
import { NO_SERVICE, spawnGateway, temporaryDirectory } from "../../support/gateway.ts";

it("an erasure needs no room in the folder of temporary files", async ({ skip }) => {
  await using small = await temporaryDirectory();
  const mounted = spawnSync("mount", ["-t", "tmpfs", "-o", "size=1m", "tmpfs", small.path]);
  skip(mounted.status !== 0, "only root can mount a small disk");
  await using parts = new AsyncDisposableStack();
  parts.defer(() => void spawnSync("umount", ["-l", small.path]));
  const gateway = parts.use(await spawnGateway(NO_SERVICE, { TMPDIR: small.path }));
  // Bodies that take six times the room.
  const deliver = () => gateway.deliver(callEndedEvent({ extra: { note: crypto.randomUUID().repeat(3000) } }));
  for (let count = 0; count < 60; count += 1) expect((await deliver()).status).toBe(200);
  const { data } = await gateway.ask('mutation { forgetPhone(number: "+8613900000000") { events } }');
  expect(data).toEqual({ forgetPhone: { events: 0 } });
  expect((await gateway.ask("{ gateway { version } }")).status).toBe(200);
});
