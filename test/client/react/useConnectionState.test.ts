import { describe, expect, it } from "vitest";
import { until } from "../../support/until.ts";
import { createWorld, hasBrowser } from "./world.ts";

describe.skipIf(!hasBrowser)("useConnectionState", () => {
  const world = createWorld();

  it("tells idle, live, and after the gateway went why and until when it waits", async () => {
    await using page = await world.open();
    const state = async () => (await page.run("result")) as { name: string; until?: string; reason?: string };
    await page.run("mount", "connection", { paused: true });
    expect(await state()).toEqual({ name: "idle" });
    await page.run("update", { paused: false });
    await until(async () => (await state()).name === "live");
    await page.run("update", { paused: true });
    await until(async () => (await state()).name === "idle");
    await page.run("update", { paused: false });
    await until(async () => (await state()).name === "live");
    await world.gateway[Symbol.asyncDispose]();
    const waiting = await until(async () => {
      const now = await state();
      return now.name === "waiting" && now;
    });
    expect(waiting.until).toMatch(/^\d{4}-/);
    expect(waiting.reason).not.toBe("");
  });
});
