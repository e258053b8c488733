import { expect, it } from "vitest";
import { startGateway } from "../../bench/support/gateway.ts";
import { megabytes } from "../support/measuring/memory.ts";
import { until } from "../support/until.ts";

it.runIf(process.platform === "linux")("A gateway without requests gives memory of its start back", async () => {
  await using gateway = await startGateway({});
  const pid = Number(gateway.pid);
  const most = megabytes(pid, "VmHWM");
  const idle = await until(() => {
    const now = megabytes(pid, "VmRSS");
    return now < megabytes(pid, "VmHWM") - 8 && now;
  });
  expect(idle).toBeLessThan(most);
});
