// One attacker of each transport and scope, as in bench/abuse.ts, which measures how long others wait. This test
// checks that they are answered.
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { silentLog } from "../support/silentLog.ts";
import { openStore } from "../../src/store/store.ts";
import { attacks } from "../../bench/support/attacks.ts";
import type { Attack } from "../../bench/support/attackTools.ts";
import { startBare } from "../../bench/support/metered.ts";
import { appendRows, eventRow } from "../store/tempStore.ts";
import { callEndedEvent } from "../support/events.ts";
import {
  type Directory,
  type GatewayProgram,
  NO_SERVICE,
  spawnGateway,
  temporaryDirectory,
} from "../support/gateway.ts";
import { bearer, writeKeys } from "../support/keys.ts";
import { megabytes } from "../support/measuring/memory.ts";
import { until } from "../support/until.ts";

const ROWS = 2000;
const ROUNDS = 3;
const MAX_MEMORY_MB = 600;
const PAGE = "{ callEndedEvents(first: 10) { nodes { sessionId caller callee duration } } }";
const COUNT = "{ callStats { calls } }";
const names = [
  "GraphiQL's page, pipelined and unread",
  "messages of 64 KiB before connection_init",
  "a name of a million letters over a page",
  "answers that are never read",
  "replays of the whole log, never read",
  "createTask: numbers of U+FDFA",
  "createTask over SSE",
  "createTask over WebSocket",
] as const;
// Each has its own key, so that the rate limit of one does not affect the next.
const chosen = names.map((name, at) => ({ name, viewer: `attacker-${at}`, ...(attacks[name] as Attack) }));

let directory: Directory;
let gateway: GatewayProgram;
let delivered = 0;

beforeAll(async () => {
  directory = await temporaryDirectory();
  await using store = await openStore({ url: directory.database, log: silentLog });
  const rows = Array.from({ length: ROWS }, (_, at) => eventRow({ sessionId: `s${at}`, callee: `138${at}` }));
  for (let at = 0; at < ROWS; at += 1000) await appendRows(store.events, rows.slice(at, at + 1000));
  await store[Symbol.asyncDispose]();
  const attackers = Object.fromEntries(chosen.flatMap(({ viewer, scopes }) => (scopes ? [[viewer, scopes]] : [])));
  const API_KEYS_FILE = await writeKeys(directory.path, { viewer: ["calls:read", "people:read"], ...attackers });
  gateway = await spawnGateway(NO_SERVICE, { DATABASE_URL: directory.database, API_KEYS_FILE, RATE_LIMIT: "6000" });
});
afterAll(async () => {
  await gateway[Symbol.asyncDispose]();
  await directory[Symbol.asyncDispose]();
});

const ask = (query: string) => gateway.ask(query, {}, { authorization: bearer("viewer") });
const deliver = () => gateway.deliver(callEndedEvent({ session_id: `delivered-${(delivered += 1)}` }));

it("the attackers use every transport, with and without scopes", () => {
  expect(new Set(chosen.map(({ transport }) => transport))).toEqual(new Set(["HTTP", "SSE", "WebSocket"]));
  expect(new Set(chosen.map(({ scopes }) => scopes?.join()))).toEqual(
    new Set([undefined, "calls:read", "tasks:create"]),
  );
});

describe("A viewer and the webhook beside one attacker", () => {
  it.each(chosen)("are answered as without it: $name, $transport", async ({ name, viewer }) => {
    const page = await ask(PAGE);
    expect(page.errors).toBeUndefined();
    await using attacker = await startBare("abuser", [name, gateway.url, bearer(viewer)]);
    const attempts = async () => ((await (await fetch(attacker.url)).json()) as { attempts: number }).attempts;
    await until(async () => (await attempts()) > 0);
    for (let round = 0; round < ROUNDS; round += 1) {
      const [again, counted, kept] = await Promise.all([ask(PAGE), ask(COUNT), deliver()]);
      expect(again).toEqual(page);
      expect([counted.status, counted.errors]).toEqual([200, undefined]);
      expect(kept.status).toBe(200);
      expect(await ask(COUNT)).toEqual({ status: 200, data: { callStats: { calls: ROWS + delivered } } });
    }
    // The attack is still running.
    expect(await attempts()).toBeGreaterThan(0);
    if (process.platform === "linux")
      expect(megabytes(Number(gateway.process.pid), "VmHWM")).toBeLessThan(MAX_MEMORY_MB);
  });
});
