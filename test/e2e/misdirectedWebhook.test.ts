import { describe, expect, it } from "vitest";
import { NO_SERVICE, startGateway } from "../support/gateway.ts";
import { callEndedEvent } from "../support/events.ts";
import { WEBHOOK_AUTHORIZATION } from "../support/sandbox.ts";
import { until } from "../support/until.ts";

const PATHS = ["/calllogs", "/", "/livez", "/readyz", "/live", "/assets/x", "/recordings/x", "/graphql"];

describe("A webhook to a wrong path", () => {
  it.each(["on", "off"])(
    "is answered alike for any header and never with 2xx or 3xx, with CONSOLE=%s",
    async (CONSOLE) => {
      await using gateway = await startGateway(NO_SERVICE, { CONSOLE });
      const post = async (path: string, authorization: string) => {
        const headers = { authorization, "content-type": "application/json" };
        const init = { method: "POST", headers, body: JSON.stringify(callEndedEvent()), redirect: "manual" } as const;
        const response = await fetch(gateway.url + path, init);
        const text = await response.text();
        return [response.status, text.replaceAll(/"requestId":"[^"]*"/g, ""), response.headers.get("location")];
      };
      for (const path of PATHS) {
        const answer = await post(path, WEBHOOK_AUTHORIZATION);
        expect([path, Number(answer[0]) >= 400]).toEqual([path, true]);
        expect([path, await post(path, "a wrong value")]).toEqual([path, answer]);
      }
      expect((await post("/calllogs", WEBHOOK_AUTHORIZATION))[0]).toBe(404);
    },
  );

  it("warns once with the right path, which then takes it, and not at all for a wrong header", async () => {
    await using gateway = await startGateway(NO_SERVICE, { WEBHOOK_PATH: "/hooks/calls" });
    const post = (path: string, authorization: string) =>
      fetch(gateway.url + path, { method: "POST", headers: { authorization }, body: JSON.stringify(callEndedEvent()) });
    await post("/hook/calls", "a wrong value");
    for (let at = 0; at < 3; at += 1) await post("/hook/calls", WEBHOOK_AUTHORIZATION);
    const warnings = () => gateway.output.filter((line) => line.includes("webhooks come to a wrong path"));
    await until(() => warnings().length > 0);
    expect(warnings().map((line) => JSON.parse(line) as unknown)).toMatchObject([
      { level: "warn", path: "/hooks/calls", refused: { other: 1 } },
    ]);
    expect(gateway.output.join("\n")).not.toContain(WEBHOOK_AUTHORIZATION);
    expect((await post("/hooks/calls", WEBHOOK_AUTHORIZATION)).status).toBe(200);
  });
});
