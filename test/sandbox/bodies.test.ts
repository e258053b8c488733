import { request } from "node:http";
import { expect, it, onTestFinished } from "vitest";
import { startSandbox } from "../support/sandbox.ts";
import { until } from "../support/until.ts";

const MIB = 1024 * 1024;

it("The sandbox keeps nothing of a body that is too large while it reads the body to its end", async () => {
  await using sandbox = await startSandbox();
  const headers = { authorization: "wrong", "content-type": "application/json" };
  const sent = request(`${sandbox.url}/openapi/tasks`, { method: "POST", headers }).on("error", () => undefined);
  onTestFinished(() => void sent.destroy());
  const part = Buffer.alloc(MIB, "x");
  const before = process.memoryUsage().arrayBuffers;

  for (let at = 0; at < 128; at += 1) await new Promise((taken) => sent.write(part, taken));

  await until(() => process.memoryUsage().arrayBuffers - before < 64 * MIB);
  const answered = new Promise<number | undefined>((resolve) =>
    sent.once("response", ({ statusCode }) => resolve(statusCode)),
  );
  sent.end();
  expect(await answered).toBe(401);
});
