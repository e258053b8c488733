import { describe, expect, it, onTestFinished } from "vitest";
import { databases, type DatabaseUnderTest } from "../store/databases.ts";
import { open } from "../store/tempStore.ts";
import { startGateway, temporaryDirectory, type TestGateway } from "../support/gateway.ts";
import { bearer, writeKeys } from "../support/keys.ts";
import { startSandbox, type TestSandbox } from "../support/sandbox.ts";
import { until } from "../support/until.ts";
import { submit, taskInputFor } from "./submitting.ts";

interface Lists {
  assistants: {
    nodes: { assistantId: string; name: string; versionIds: string[]; knownFrom: string[] }[];
    hasMore: boolean;
  };
  lines: {
    nodes: { lineId: string; name: string | null; knownFrom: string[]; lastMetAt: string | null }[];
    hasMore: boolean;
  };
}
const QUERY = `query($first: Int! = 100) {
  assistants(first: $first) { nodes { assistantId name versionIds knownFrom lastMetAt latestVersion { name welcome } } hasMore }
  lines(first: $first) { nodes { lineId name knownFrom lastMetAt } hasMore }
}`;
const everything = { authorization: bearer("everything") };
const SCOPES = ["calls:read", "tasks:create", "people:read", "assistants:prompts", "recordings:read", "admin"];

/** Lines that were seen long ago and just now. */
async function saveLines(url: string): Promise<void> {
  await using store = await open(url);
  const line = { fromTask: true, fromSubmission: false };
  await store.knownLines.save([
    { ...line, lineId: "1", seenAt: "2020-01-01T00:00:00.000Z" },
    { ...line, lineId: "2", seenAt: new Date().toISOString() },
  ]);
}

async function start(database: DatabaseUnderTest, prepare: (url: string) => Promise<void> = async () => undefined) {
  const parts = new AsyncDisposableStack();
  onTestFinished(() => parts.disposeAsync());
  const directory = parts.use(await temporaryDirectory());
  const keys = await writeKeys(directory.path, {
    everything: SCOPES,
    reader: ["calls:read"],
    creator: ["tasks:create"],
  });
  const { url } = await database.create();
  await prepare(url);
  const env = {
    DATABASE_URL: url,
    API_KEYS_FILE: keys,
    KNOWN_ASSISTANTS: "404=Never met +8613800010001",
    KNOWN_LINES: "900=Berlin,60=Munich",
  };
  const sandbox: TestSandbox = parts.use(await startSandbox());
  const startOne = async () =>
    parts.use(await startGateway(sandbox, env, { purgeTimes: { firstAfterMs: 0, intervalMs: 100 } }));
  return { sandbox, startOne, gateway: await startOne() };
}

async function listed(gateway: TestGateway, first = 100, headers = everything): Promise<Lists> {
  const { data, errors } = await gateway.ask<Lists>(QUERY, { first }, headers);
  expect(errors).toBeUndefined();
  return data as Lists;
}

const NEVER_MET = { assistantId: "404", knownFrom: ["SETTING"], lastMetAt: null, versionIds: [], latestVersion: null };
const BERLIN = { lineId: "900", name: "Berlin", knownFrom: ["SETTING"], lastMetAt: null };
const INSTANT = expect.stringMatching(/^\d{4}-.*Z$/) as string;

describe.each(databases)("The lists of a form for a new task (%s)", (_, database) => {
  it("have what the setting names, what tasks showed and what submissions named, also after a restart", async () => {
    const { sandbox, gateway, startOne } = await start(database);
    const { assistants } = await sandbox.control<{ assistants: { id: string; versions: string[] }[] }>("GET", "");
    const [shown, sent] = assistants as [(typeof assistants)[number], (typeof assistants)[number]];
    const [version = ""] = shown.versions;
    const option = {
      numberFileMeta: {},
      numbers: [60, 61],
      startDate: "2026-01-05",
      startTime: [],
      retryCount: 0,
      retryInterval: 0,
    };
    await sandbox.control("POST", "seed", {
      tasks: [{ id: 910_001, assistantId: shown.id, assistantVid: version, raw: { option } }],
    });
    await sandbox.forget();
    expect(await listed(gateway)).toEqual({
      assistants: { nodes: [{ ...NEVER_MET, name: "Never met +8613800010001" }], hasMore: false },
      lines: {
        nodes: [BERLIN, { lineId: "60", name: "Munich", knownFrom: ["SETTING"], lastMetAt: null }],
        hasMore: false,
      },
    });
    expect(await sandbox.requests()).toEqual([]);

    const task = await gateway.ask<{ task: { assistant: { name: string; welcome: string } } }>(
      '{ task(taskId: "910001") { assistant { name welcome } } }',
      {},
      everything,
    );
    const latestVersion = task.data?.task.assistant;
    const input = taskInputFor(sent.id);
    input.option.lineIds = ["61", "62"];
    expect((await submit(gateway, input, everything)).submission?.status).toBe("ACCEPTED");

    const met = { lastMetAt: INSTANT };
    const full = {
      assistants: {
        nodes: [
          { ...NEVER_MET, name: "Never met +8613800010001" },
          { ...met, assistantId: sent.id, name: null, versionIds: [], knownFrom: ["SUBMISSION"], latestVersion: null },
          {
            ...met,
            assistantId: shown.id,
            name: latestVersion?.name,
            versionIds: [version],
            knownFrom: ["TASK"],
            latestVersion,
          },
        ],
        hasMore: false,
      },
      lines: {
        nodes: [
          BERLIN,
          { ...met, lineId: "60", name: "Munich", knownFrom: ["SETTING", "TASK"] },
          { ...met, lineId: "62", name: null, knownFrom: ["SUBMISSION"] },
          { ...met, lineId: "61", name: null, knownFrom: ["TASK", "SUBMISSION"] },
        ],
        hasMore: false,
      },
    };
    expect(await listed(gateway)).toEqual(full);
    await gateway[Symbol.asyncDispose]();
    expect(await listed(await startOne())).toEqual(full);
  });

  it("lose what was last met before the retention", async () => {
    const { gateway } = await start(database, saveLines);
    const met = async () => (await listed(gateway)).lines.nodes.filter(({ lastMetAt }) => lastMetAt !== null);
    const left = await until(async () => {
      const lines = await met();
      return lines.length === 1 && lines;
    });
    expect(left.map(({ lineId }) => lineId)).toEqual(["2"]);
  });

  it("say whether more is known, need calls:read, and mask numbers in names", async () => {
    const { gateway } = await start(database);
    const input = taskInputFor("11");
    input.option.lineIds = ["61"];
    await submit(gateway, input, everything);
    const one = await listed(gateway, 1);
    expect([one.assistants.nodes.length, one.assistants.hasMore]).toEqual([1, true]);
    expect([one.lines.nodes.length, one.lines.hasMore]).toEqual([1, true]);
    const three = await listed(gateway, 3);
    expect([three.lines.nodes.map(({ lineId }) => lineId), three.lines.hasMore]).toEqual([["900", "60", "61"], false]);

    const reader = await listed(gateway, 100, { authorization: bearer("reader") });
    expect(reader.assistants.nodes[0]?.name).toBe("Never met +8613****0001");
    const creator = await gateway.ask(QUERY, {}, { authorization: bearer("creator") });
    expect(creator.errors?.[0]?.extensions["code"]).toBe("FORBIDDEN");
    for (const first of [0, 101]) {
      const { errors } = await gateway.ask(QUERY, { first }, everything);
      expect(errors?.map(({ extensions }) => extensions["code"])).toEqual(["BAD_USER_INPUT", "BAD_USER_INPUT"]);
    }
  });
});
