// Destinations that get files at a gateway: what stands in the lines, erasure, and a place that takes nothing for a while.
import { existsSync, rmSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { pathToFileURL } from "node:url";
import { describe, expect, it } from "vitest";
import { blocksOf } from "../../docs/blocks.ts";
import { tempFile } from "../../store/tempStore.ts";
import { callEndedEvent } from "../../support/events.ts";
import { NO_SERVICE, startGateway } from "../../support/gateway.ts";
import { until } from "../../support/until.ts";
import { QUICK, SOON } from "../world.ts";
import { bucketPlace, folderPlace, linesOf, type Place } from "./targets.ts";

interface Line {
  id: string;
  type: string;
  timestamp: string;
  data: { sessionId: string; callee: string };
}

/** The documented definition, with a place of the test. */
function destinationAt(kind: string, own: object): string {
  const file = tempFile("destinations.json");
  const shown = blocksOf("docs/destinations.md").find(({ code }) => code.includes(`"kind": "${kind}"`))?.code ?? "";
  const [documented] = JSON.parse(shown) as object[];
  writeFileSync(file, JSON.stringify([{ ...documented, ...own }]));
  return file;
}
async function openFolder() {
  const place = folderPlace();
  const file = destinationAt("folder", { url: pathToFileURL(place.folder).href });
  return { ...place, env: { DESTINATIONS_FILE: file } };
}
async function openBucket() {
  const place = await bucketPlace();
  const { config } = place.bucket;
  const file = destinationAt("bucket", config);
  return { ...place, env: { DESTINATIONS_FILE: file, DESTINATION_HOSTS: new URL(config.url).host } };
}
const kinds: [string, () => Promise<Place & { env: Record<string, string> }>][] = [
  ["folder", openFolder],
  ["bucket", openBucket],
];

const TEST = 'mutation { testDestination(name: "files") { status text } }';
const STATE = "{ destinations { delivered lag url kind lastAnswer { status text } } }";
const times = { destinationTimes: { times: QUICK, retries: SOON } };

/** An hour passes at once for the gateway when it is told so. */
function openClock() {
  let ahead = 0;
  return { clock: () => Date.now() + ahead, passHour: () => void (ahead += 2 * 3_600_000) };
}

describe.each(kinds)("A destination of the kind %s", (kind, open) => {
  it("has each event of an hour that is over in its files, with the fields and masks of its scopes", async () => {
    const { env, files } = await open();
    const { clock, passHour } = openClock();
    await using gateway = await startGateway(NO_SERVICE, env, { ...times, clock });
    const tested = await gateway.ask<{ testDestination: object }>(TEST);
    expect(tested.data?.testDestination).toEqual({ status: null, text: null });
    const event = callEndedEvent();
    await gateway.deliver(event);
    const { data } = await gateway.ask<{ callEndedEvents: { nodes: { id: string; receivedAt: string }[] } }>(
      "{ callEndedEvents(first: 1) { nodes { id receivedAt } } }",
    );
    const [{ id, receivedAt } = { id: "", receivedAt: "" }] = data?.callEndedEvents.nodes ?? [];
    expect([...files().keys()]).toEqual([]);
    passHour();
    await until(async () => JSON.stringify(await gateway.ask(STATE)).includes('"delivered":1,"lag":0'));
    const name = `${receivedAt.slice(0, 13)}-0001`;
    expect([...files().keys()]).toEqual([`${name}.manifest.json`, `${name}.ndjson.gz`]);
    const [line] = linesOf(files().get(`${name}.ndjson.gz`)) as unknown as Line[];
    expect(line).toMatchObject({ id, type: "call.ended", timestamp: receivedAt });
    expect(line?.data).toMatchObject({ sessionId: event.event_data["session_id"], callee: "+8613****0001" });
    const seen = JSON.stringify([await gateway.ask(STATE), gateway.output, line]);
    expect(seen).toContain(`"kind":"${kind}"`);
    expect(seen).not.toMatch(/canary|13800010001|wJalrXUtnFEMI|the-secret/);
  });

  it("never has a person in its files who was erased before the hour was over", async () => {
    const { env, files } = await open();
    const { clock, passHour } = openClock();
    await using gateway = await startGateway(NO_SERVICE, env, { ...times, clock });
    await gateway.deliver(callEndedEvent());
    const other = callEndedEvent({ session_id: "other", callee: "13900020002" });
    await gateway.deliver(other);
    await gateway.ask('mutation { forgetPhone(number: "13800010001") { events } }');
    passHour();
    await until(async () => JSON.stringify(await gateway.ask(STATE)).includes('"lag":0'));
    const [file] = [...files()].filter(([name]) => name.endsWith(".gz")).map(([, bytes]) => bytes);
    expect((linesOf(file) as unknown as Line[]).map(({ data }) => data.sessionId)).toEqual(["other"]);
  });
});

describe("A destination of the kind folder", () => {
  it("waits while the folder cannot be written, and a test message says why", async () => {
    const { folder, env, files } = await openFolder();
    const { clock, passHour } = openClock();
    writeFileSync(folder, "a file in its place");
    await using gateway = await startGateway(NO_SERVICE, env, { ...times, clock });
    await gateway.deliver(callEndedEvent());
    passHour();
    const failed = await gateway.ask<{ testDestination: object }>(TEST);
    const text = "The folder cannot be written (EEXIST).";
    expect(failed.data?.testDestination).toEqual({ status: null, text });
    await until(async () => JSON.stringify(await gateway.ask(STATE)).includes("The folder cannot be written"));
    rmSync(folder);
    await until(async () => JSON.stringify(await gateway.ask(STATE)).includes('"delivered":1'));
    expect(existsSync(dirname(folder)) && files().size).toBe(2);
  });
});
