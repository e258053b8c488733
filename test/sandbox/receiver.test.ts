// The receiver of the sandbox: what it shows of messages that a real gateway sends, and of forged ones.
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { RECEIVER_SECRET } from "../../sandbox/src/receiver/receiver.ts";
import { signedHeaders } from "../../src/destinations/signature.ts";
import { temporaryDirectory, startGateway } from "../support/gateway.ts";
import { ROOT } from "../house/sources.ts";
import { WEBHOOK_AUTHORIZATION } from "../support/sandbox.ts";
import { until } from "../support/until.ts";
import { at, openSandbox } from "./support.ts";

const DEFINITION = JSON.parse(readFileSync(join(ROOT, "sandbox/destinations.json"), "utf8")) as { secrets: string[] }[];
const now = at("2026-11-20 12:00:00");

function send(
  url: string,
  { id = "msg_1", sentAt = now, secret = RECEIVER_SECRET, path = "/receiver", sent = "{}" } = {},
) {
  const headers = signedHeaders({ id, at: sentAt, body: "{}" }, [secret]);
  return fetch(url + path, { method: "POST", headers, body: sent });
}

describe("The receiver of the sandbox", () => {
  it("shows what a gateway sends by the file of the repository, with its signature", async () => {
    await using service = await openSandbox();
    await using directory = await temporaryDirectory();
    const file = join(directory.path, "destinations.json");
    const definition = { ...DEFINITION[0], url: `${service.sandbox.url}/receiver`, from: "oldest" };
    writeFileSync(file, JSON.stringify([definition]));
    const DESTINATION_HOSTS = new URL(service.sandbox.url).host;
    await using gateway = await startGateway(service.sandbox, { DESTINATIONS_FILE: file, DESTINATION_HOSTS });
    service.sandbox.setWebhook({ url: `${gateway.url}/calllog`, authorization: WEBHOOK_AUTHORIZATION });
    const { sessionId } = service.sandbox.control.endCall({ sessionId: "<b>&my call" });
    const message = await until(() => service.sandbox.control.received()[0]);
    expect(message).toMatchObject({ signature: "right", isRepeat: false, status: 204 });
    expect(message.body).toContain(sessionId);
    const page = await fetch(`${service.sandbox.url}/receiver`);
    expect(page.headers.get("content-security-policy")).toContain("default-src 'none'");
    const html = await page.text();
    expect(html).toContain("1 message");
    expect(html).toContain("signature is right");
    expect(html).toContain("&lt;b&gt;&amp;my call");
    expect(html).not.toContain("<b>");
  });

  it("tells right, wrong, old and missing signatures and repeats apart, and answers as its address says", async () => {
    await using service = await openSandbox({ now: () => now });
    const { url } = service.sandbox;
    const other = `whsec_${Buffer.alloc(32, 9).toString("base64")}`;
    expect((await send(url, { path: "/receiver?status=503" })).status).toBe(503);
    expect((await send(url)).status).toBe(204);
    expect((await send(url)).status).toBe(204);
    expect((await send(url, { secret: other })).status).toBe(401);
    expect((await send(url, { sent: '{"changed":true}' })).status).toBe(401);
    expect((await send(url, { sentAt: now - 301_000 })).status).toBe(401);
    expect((await fetch(`${url}/receiver`, { method: "POST", body: "plain" })).status).toBe(204);
    expect((await send(url, { path: "/receiver?status=99" })).status).toBe(400);
    expect((await fetch(`${url}/receiver`, { method: "PUT" })).status).toBe(405);
    const told = service.sandbox.control.received().map(({ signature, isRepeat }) => [signature, isRepeat]);
    expect(told).toEqual([
      ["right", false],
      ["right", false],
      ["right", true],
      ["wrong", true],
      ["wrong", true],
      ["old", true],
      ["none", false],
    ]);
  });

  it("keeps the newest 200 messages, none that is too large, and forgets them on request", async () => {
    await using service = await openSandbox({ now: () => now });
    const { url, control } = service.sandbox;
    expect((await send(url, { sent: "x".repeat(1024 * 1024 + 1) })).status).toBe(413);
    expect(control.received()).toEqual([]);
    for (let made = 0; made < 201; made += 1) await send(url, { id: `msg_${made}` });
    expect(control.received().map(({ id }) => id)).toEqual(Array.from({ length: 200 }, (_, each) => `msg_${each + 1}`));
    expect((await service.call("/sandbox/received")).body).toHaveLength(200);
    control.clearReceived();
    expect(await (await fetch(`${url}/receiver`)).text()).toContain("Nothing has come yet");
  });

  it("has a public secret that the file of the repository names", () => {
    expect(DEFINITION[0]?.secrets).toEqual([RECEIVER_SECRET]);
  });
});
