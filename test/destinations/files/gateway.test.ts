// A destination of the kind folder at a gateway: what stands in its lines, and a folder that cannot be written for a while.
import { existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { pathToFileURL } from "node:url";
import { describe, expect, it } from "vitest";
import { blocksOf } from "../docs/blocks.ts";
import { tempFile } from "../store/tempStore.ts";
import { callEndedEvent } from "../support/events.ts";
import { NO_SERVICE, startGateway } from "../support/gateway.ts";
import { until } from "../support/until.ts";

interface Line {
  id: string;
  type: string;
  timestamp: string;
  data: { sessionId: string; callee: string };
}

function folderDestination() {
  const file = tempFile("destinations.json");
  const folder = join(dirname(file), "calls and more");
  const shown = blocksOf("docs/destinations.md").find(({ code }) => code.includes('"folder"'))?.code ?? "";
  const [documented] = JSON.parse(shown) as object[];
  const definition = { ...documented, url: pathToFileURL(folder).href, order: "strict" };
  writeFileSync(file, JSON.stringify([definition]));
  return { folder, env: { DESTINATIONS_FILE: file } };
}
const TEST = 'mutation { testDestination(name: "files") { status text } }';
const STATE = "{ destinations { delivered url kind lastAnswer { status text } } }";

describe("A destination of the kind folder", () => {
  it("writes each event on disk with the fields and masks of its scopes, before it counts as delivered", async () => {
    const { folder, env } = folderDestination();
    await using gateway = await startGateway(NO_SERVICE, env);
    const event = callEndedEvent();
    await gateway.deliver(event);
    await until(async () => {
      const { data } = await gateway.ask<{ destinations: { delivered: number }[] }>(STATE);
      return data?.destinations[0]?.delivered === 1;
    });
    const { data } = await gateway.ask<{ callEndedEvents: { nodes: { id: string; receivedAt: string }[] } }>(
      "{ callEndedEvents(first: 1) { nodes { id receivedAt } } }",
    );
    const [{ id, receivedAt } = { id: "", receivedAt: "" }] = data?.callEndedEvents.nodes ?? [];
    const open = readFileSync(join(folder, ".open", `${receivedAt.slice(0, 13)}.ndjson`), "utf8");
    const line = JSON.parse(open) as Line;
    expect(line).toMatchObject({ id, type: "call.ended", timestamp: receivedAt });
    expect(line.data).toMatchObject({ sessionId: event.event_data["session_id"], callee: "+8613****0001" });
    expect(open).not.toMatch(/canary|13800010001/);
  });

  it("waits while the folder cannot be written, and a test message says why", async () => {
    const { folder, env } = folderDestination();
    writeFileSync(folder, "a file in its place");
    await using gateway = await startGateway(NO_SERVICE, env);
    await gateway.deliver(callEndedEvent());
    const failed = await gateway.ask<{ testDestination: object }>(TEST);
    const text = "The folder cannot be written (EEXIST).";
    expect(failed.data?.testDestination).toEqual({ status: null, text });
    await until(async () => JSON.stringify(await gateway.ask(STATE)).includes("The folder cannot be written"));
    rmSync(folder);
    const again = await gateway.ask<{ testDestination: object }>(TEST);
    expect(again.data?.testDestination).toEqual({ status: null, text: null });
    await until(() => existsSync(join(folder, ".open")));
    await until(async () => JSON.stringify(await gateway.ask(STATE)).includes('"delivered":1'));
  });
});
