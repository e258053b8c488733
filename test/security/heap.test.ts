import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { callEndedEvent } from "../support/events.ts";
import { spawnGateway, temporaryDirectory, type Directory, type GatewayProgram } from "../support/gateway.ts";
import { startSandbox, TOKEN, type TestSandbox } from "../support/sandbox.ts";
import { openSocket, subscribe } from "../support/streams.ts";
import { until } from "../support/until.ts";
import { countInHeap, heapAt } from "./heapOf.ts";

/** The beginning of every websocketToken of the sandbox. */
const SECRET = "wst_secret_";
const OF_EVENT = "wst_secret_of_event";
const NAME = "Named in the list, and kept";
/** An ID whose digits are a substring of the service's text. */
const LARGE_ID = "9007199254740993123";
/** No query reads its assistant, so that it stays unparsed. */
const UNREAD_ID = "9007199254740993124";

let sandbox: TestSandbox;
let directory: Directory;
let gateway: GatewayProgram;
beforeAll(async () => {
  sandbox = await startSandbox();
  directory = await temporaryDirectory();
  gateway = await spawnGateway(sandbox, {
    ...heapAt(join(directory.path, "heap.heapsnapshot")),
    // The caches keep answers for longer than this test runs.
    UPSTREAM_CACHE_MS: "600000",
  });
  await sandbox.control("POST", "seed", { tasks: [{ id: LARGE_ID, name: NAME }, { id: UNREAD_ID }] });
});
afterAll(async () => {
  await gateway[Symbol.asyncDispose]();
  await sandbox[Symbol.asyncDispose]();
  await directory[Symbol.asyncDispose]();
});

const inHeap = (...texts: string[]) => countInHeap(gateway, join(directory.path, "heap.heapsnapshot"), texts);

describe("A60: a value that no model names", () => {
  it("is not kept in memory by caches, substrings or the newest events", async () => {
    const calls = "sessionId caller callee task { taskId name assistant { name welcome prompt websocketUrl } }";
    const query = `{ unread: task(taskId: "${UNREAD_ID}") { name } callLogs(first: 100) { nodes { ${calls} } } task(taskId: "${LARGE_ID}") { taskId name callLogs {
      totalCount } assistant { name websocketUrl knowledge } } }`;
    const live = subscribe(openSocket(gateway.url), `subscription { callEnded { sessionId callLog { ${calls} } } }`);
    await using _ = live;
    const first = live.next();
    await until(async () => {
      const { data } = await gateway.ask<{ gateway: { subscribers: number } }>("{ gateway { subscribers } }");
      return data?.gateway.subscribers === 1;
    });
    for (let time = 0; time < 3; time += 1) {
      const { data, errors } = await gateway.ask<{ task: { name: string } }>(query);
      expect([errors, data?.task.name]).toEqual([undefined, NAME]);
    }
    const odd = { websocket_token: OF_EVENT, event_data_too: { websocketToken: OF_EVENT } };
    await gateway.deliver(callEndedEvent({ ...odd, task_id: LARGE_ID, extra: { website: "https://a.example/" } }));
    await gateway.deliver(callEndedEvent({ ...odd, start_at: "unreadable" }));
    await first;

    const [name, token, secrets] = await inHeap(NAME, TOKEN, SECRET);
    // The search finds the name, which is cached, and the service's token, which each request uses.
    expect([name, token].map((count = 0) => count > 0)).toEqual([true, true]);
    expect(secrets).toBe(0);
  });
});
