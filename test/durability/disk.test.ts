import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { sql } from "kysely";
import { describe, expect, it, onTestFinished } from "vitest";
import { noConnectionGuard } from "../../src/server/connections/connectionGuard.ts";
import { createWebhookRoute } from "../../src/server/routes/webhookRoute.ts";
import { silentLog } from "../support/silentLog.ts";
import { openDatabase } from "../../src/store/database.ts";
import { createEventStore } from "../../src/store/events/eventStore.ts";
import { migrate } from "../../src/store/migrations/migrations.ts";
import { createQuarantineStore } from "../../src/store/events/quarantineStore.ts";
import { noServerObserver } from "../../src/server/serverObserver.ts";
import { createParseCallEnded } from "../../src/webhook/parse.ts";
import { createReceiver } from "../../src/webhook/receive.ts";
import { openLog } from "../events/callEnded.ts";
import { serve } from "../server/serve.ts";
import { callEndedEvent } from "../support/events.ts";
import { anyEnd } from "../webhook/delivery.ts";
import { temporaryDirectory } from "../support/gateway.ts";
import { startProgram } from "../support/program.ts";

const FAILING_DISK = fileURLToPath(new URL("./failingDisk.ts", import.meta.url));

describe("The webhook route with a full disk", () => {
  it("answers 503 with Retry-After, and 200 once there is space", async () => {
    await using directory = await temporaryDirectory();
    await using database = await openDatabase(directory.database, silentLog);
    await migrate(database);
    const setMaxPages = async (max: number) =>
      void (await sql.raw(`pragma max_page_count = ${max}`).execute(database.db));
    const store = createEventStore(database);
    await using events = await openLog(store);
    const accepted = ["value"];
    const receiver = createReceiver({
      accepted: () => accepted,
      events,
      quarantine: createQuarantineStore(database),
      parse: createParseCallEnded("UTC"),
      ...anyEnd,
      keepsBodies: true,
      clock: Date.now,
      log: silentLog,
    });
    const route = createWebhookRoute({
      receiver,
      observer: noServerObserver,
      connectionGuard: noConnectionGuard,
      arrivals: { accepted: () => undefined, refused: () => undefined },
      tests: { isTest: () => false, isUnchanged: () => false },
      log: silentLog,
    });
    await using server = await serve((request, response) => void route(request, response, {}));
    const deliver = (id: string) =>
      fetch(server.url, {
        method: "POST",
        headers: { authorization: "value" },
        body: JSON.stringify(callEndedEvent({ session_id: id, hangup_reason: "x".repeat(5000) })),
      });

    await setMaxPages(120);
    const acknowledged: string[] = [];
    let refused: Response | null = null;
    while (!refused) {
      const id = `call ${acknowledged.length}`;
      const response = await deliver(id);
      if (response.status === 200) acknowledged.push(id);
      else refused = response;
    }
    expect(refused.status).toBe(503);
    expect(Number(refused.headers.get("retry-after"))).toBeGreaterThan(0);
    expect(acknowledged.length).toBeGreaterThan(5);

    await setMaxPages(100_000);
    expect((await deliver("with space again")).status).toBe(200);
    for (const id of [...acknowledged, "with space again"]) expect(await events.bySession(id)).not.toBeNull();
  });
});

describe("A process whose disk fails at a sync", () => {
  it("ends with exit code 1 and acknowledges nothing", async () => {
    await using directory = await temporaryDirectory();
    const program = startProgram([FAILING_DISK, join(directory.path, "switchboard.db")], {});
    onTestFinished(() => program[Symbol.asyncDispose]());
    expect(await program.exited).toBe(1);
    expect(program.output.join("\n")).toContain("disk I/O error");
    expect(program.output.join("\n")).not.toContain("acknowledged");
  });
});

describe("A process whose database thread ends", () => {
  it("ends with exit code 1 and acknowledges nothing", async () => {
    await using directory = await temporaryDirectory();
    const program = startProgram([FAILING_DISK, join(directory.path, "switchboard.db"), "endingThread.ts"], {});
    onTestFinished(() => program[Symbol.asyncDispose]());
    expect(await program.exited).toBe(1);
    expect(program.output.join("\n")).toContain("the database's thread has ended");
    expect(program.output.join("\n")).not.toContain("acknowledged");
  });
});
