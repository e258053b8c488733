import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { callEndedEvent } from "../support/events.ts";
import { startGateway, temporaryDirectory, type Directory, type TestGateway } from "../support/gateway.ts";
import { bearer, keyOf, writeKeys } from "../support/keys.ts";
import { takeMigratedDatabase } from "../support/postgres/migratedDatabase.ts";
import { startProgram } from "../support/program.ts";
import { CLI, startSandbox, type TestSandbox } from "../support/sandbox.ts";

let sandbox: TestSandbox;
let gateway: TestGateway;
let database: Awaited<ReturnType<typeof takeMigratedDatabase>>;
let directory: Directory;
beforeAll(async () => {
  directory = await temporaryDirectory();
  database = await takeMigratedDatabase();
  const viewers = {
    admin: ["admin"],
    people: ["admin", "people:read"],
    reader: ["calls:read"],
    all: ["admin", "calls:read"],
  };
  sandbox = await startSandbox();
  gateway = await startGateway(sandbox, {
    DATABASE_URL: database.url,
    API_KEYS_FILE: await writeKeys(directory.path, viewers),
  });
  for (const body of bodies) expect(await (await gateway.deliver(body)).text()).toBe("{}");
});
afterAll(async () => {
  await gateway[Symbol.asyncDispose]();
  await sandbox[Symbol.asyncDispose]();
  await database[Symbol.asyncDispose]();
  await directory[Symbol.asyncDispose]();
});

const noSession = JSON.stringify(callEndedEvent({ session_id: "", callee: "+8613800010001", caller: "A068" }));
const bodies = ["not json", noSession, `["${"号".repeat(40_000)}"]`];

interface Page {
  quarantinedDeliveries: {
    nodes: { id: string; receivedAt: string; reason: string; charset: string | null; body: string }[];
    edges: { cursor: string }[];
    pageInfo: { hasNextPage: boolean; hasPreviousPage: boolean; endCursor: string | null };
  };
}
const LIST = `query($first: Int! = 10, $after: String) { quarantinedDeliveries(first: $first, after: $after) {
  nodes { id receivedAt reason charset body } edges { cursor } pageInfo { hasNextPage hasPreviousPage endCursor } } }`;
const REPROCESS = `mutation($id: ID!) { reprocessQuarantined(id: $id) { event { sessionId } reason } }`;

async function list(variables: object = {}, viewer = "people") {
  const { data, errors } = await gateway.ask<Page>(LIST, variables, { authorization: bearer(viewer) });
  expect(errors).toBeUndefined();
  return (data as Page).quarantinedDeliveries;
}
const reprocess = async (id: string) => gateway.ask(REPROCESS, { id }, { authorization: bearer("all") });

/** A delivery that could not be read when it came, and can be now: as after an upgrade that mended why. */
async function putReadable(event: object, sha256: string): Promise<void> {
  const hex = Buffer.from(JSON.stringify(event)).toString("hex");
  await database.ask(`insert into quarantine (received_at, reason, body_sha256, body)
    values ('2026-11-20T01:00:00.000Z', 'It was not understood then.', '${sha256}', '\\x${hex}')`);
}

describe("The list of quarantined deliveries", () => {
  it("shows the newest first, with the reason, cut at 64 KiB and never inside a character", async () => {
    const { nodes } = await list();
    expect(nodes.map(({ reason }) => reason)).toEqual([
      "The body is not an object with event_data.",
      "event_data has no session_id.",
      "The body is not JSON.",
    ]);
    expect(nodes.slice(1).map(({ body }) => body)).toEqual([noSession, "not json"]);
    expect(nodes[0]?.body).toBe(`["${"号".repeat(Math.floor((64 * 1024 - 2) / 3))}`);
  });

  it("has pages with signed cursors", async () => {
    const whole = await list();
    const first = await list({ first: 2 });
    expect(first.pageInfo).toMatchObject({ hasNextPage: true, hasPreviousPage: false });
    const second = await list({ first: 2, after: first.pageInfo.endCursor });
    expect(second.pageInfo).toMatchObject({ hasNextPage: false, hasPreviousPage: true });
    expect([...first.nodes, ...second.nodes]).toEqual(whole.nodes);
    for (const after of ["", "1", `${whole.edges[0]?.cursor}x`]) {
      const { errors } = await gateway.ask(LIST, { after }, { authorization: bearer("admin") });
      expect(errors?.[0]?.extensions["code"]).toBe("CURSOR_INVALID");
    }
  });

  it("masks numbers without people:read", async () => {
    const { nodes } = await list({}, "admin");
    expect(nodes[1]?.body).toContain("8613****0001");
    expect(nodes[1]?.body).toContain("A068");
    expect(nodes[1]?.body).not.toContain("13800010001");
  });

  it("has nodes that node(id) finds, for admin only", async () => {
    const [{ id } = { id: "" }] = (await list()).nodes;
    const query = `query($id: ID!) { node(id: $id) { __typename id } }`;
    const ask = (viewer: string) => gateway.ask(query, { id }, { authorization: bearer(viewer) });
    expect((await ask("all")).data).toEqual({ node: { __typename: "QuarantinedDelivery", id } });
    expect((await ask("reader")).errors?.[0]?.extensions["code"]).toBe("FORBIDDEN");
  });
});

describe("reprocessQuarantined", () => {
  it("keeps an unreadable delivery, and returns the reason", async () => {
    for (const { id, reason } of (await list()).nodes) {
      expect((await reprocess(id)).data).toEqual({ reprocessQuarantined: { event: null, reason } });
    }
    expect((await list()).nodes).toHaveLength(3);
  });

  it("moves a readable delivery from quarantine to the log", async () => {
    await putReadable(callEndedEvent({ session_id: "mended" }), "mended");
    const [{ id } = { id: "" }] = (await list()).nodes;
    expect((await reprocess(id)).data).toEqual({
      reprocessQuarantined: { event: { sessionId: "mended" }, reason: null },
    });
    expect((await list()).nodes).toHaveLength(3);
    const { data } = await gateway.ask(
      `{ callEnded(sessionId: "mended") { source revision } }`,
      {},
      { authorization: bearer("all") },
    );
    expect(data).toEqual({ callEnded: { source: "WEBHOOK", revision: 1 } });
    expect((await reprocess(id)).data).toEqual({
      reprocessQuarantined: { event: null, reason: "There is no such delivery in quarantine." },
    });
  });

  it("does not append a call again that the log has", async () => {
    const event = callEndedEvent({ session_id: "known" });
    await gateway.deliver(event);
    await putReadable(event, "known");
    const [{ id } = { id: "" }] = (await list()).nodes;
    expect((await reprocess(id)).data).toEqual({
      reprocessQuarantined: { event: { sessionId: "known" }, reason: null },
    });
    const { data } = await gateway.ask(
      `{ callEnded(sessionId: "known") { revision } }`,
      {},
      { authorization: bearer("all") },
    );
    expect(data).toEqual({ callEnded: { revision: 1 } });
  });

  it.each([
    ["no id", "x"],
    ["a task's id", Buffer.from(`["Task","1"]`).toString("base64url")],
    ["a place that is none", Buffer.from(`["QuarantinedDelivery","-1"]`).toString("base64url")],
  ])("refuses %s as bad input", async (_, id) => {
    expect((await reprocess(id)).errors?.[0]?.extensions["code"]).toBe("BAD_USER_INPUT");
  });
});

describe("The command line of a running gateway", () => {
  const entryOf = (actor: string, action: string, subjectId: unknown) => ({ actor, action, subjectId, count: 1 });
  async function run(args: string[], viewer: string | null = "all") {
    const key = viewer === null ? {} : { SWITCHBOARD_KEY: keyOf(viewer) };
    await using program = startProgram([CLI, ...args, "--url", gateway.url], key);
    const code = await program.exited;
    return {
      code,
      lines: program.output.map((line) => JSON.parse(line) as Record<string, unknown>),
      stderr: program.stderr(),
    };
  }

  it("lists with switchboard quarantine, and reads one or all again with --reprocess", async () => {
    await putReadable(callEndedEvent({ session_id: "by hand" }), "by hand");
    const listed = await run(["quarantine"], "people");
    expect(listed).toMatchObject({ code: 0, stderr: "" });
    expect(listed.lines).toEqual((await list()).nodes);
    const stays = await run(["quarantine", "--reprocess", String(listed.lines[1]?.["id"])]);
    expect([stays.code, stays.lines[0]?.["isRead"]]).toEqual([1, false]);
    const all = await run(["quarantine", "--reprocess", "all"]);
    expect([all.code, all.lines.map(({ sessionId }) => sessionId)]).toEqual([1, [null, null, null, "by hand"]]);
    expect((await list()).nodes).toHaveLength(3);
    expect((await run(["quarantine", "--reprocess", "all"], "admin")).lines).toHaveLength(3);
  });

  it("discards one or all with --discard, and the audit log shows who did what", async () => {
    const [oldest, ...newer] = (await list()).nodes.toReversed();
    const one = await run(["quarantine", "--discard", String(oldest?.id)]);
    const { id, receivedAt, reason } = oldest ?? {};
    expect(one).toEqual({ code: 0, stderr: "", lines: [{ id, isDiscarded: true, receivedAt, reason }] });
    const again = await run(["quarantine", "--discard", String(id)]);
    expect([again.code, again.lines]).toEqual([1, [{ id, isDiscarded: false, receivedAt: null, reason: null }]]);
    const rest = await run(["quarantine", "--discard", "all"], "admin");
    expect([rest.code, ...rest.lines.map((line) => line["id"])]).toEqual([0, ...newer.map((each) => each.id)]);
    expect((await list()).nodes).toEqual([]);
    for (const body of bodies) await gateway.deliver(body);

    const audit = await run(["audit"], "admin");
    expect(audit.lines.slice(0, 4)).toMatchObject([
      ...newer.toReversed().map((each) => entryOf("admin", "DELIVERY_DISCARDED", each.id)),
      entryOf("all", "DELIVERY_DISCARDED", id),
      entryOf("all", "DELIVERY_REPROCESSED", expect.any(String)),
    ]);
  });

  it("processes deliveries in the order of their arrival", async () => {
    await putReadable(callEndedEvent({ session_id: "twice", duration: 10 }), "first");
    await putReadable(callEndedEvent({ session_id: "twice", duration: 20 }), "second");
    await run(["quarantine", "--reprocess", "all"]);
    const query = `{ callEnded(sessionId: "twice") { duration revision } }`;
    const { data } = await gateway.ask(query, {}, { authorization: bearer("all") });
    expect(data).toEqual({ callEnded: { duration: 20, revision: 2 } });
  });

  it("prints the log from any cursor with switchboard events", async () => {
    const { code, lines } = await run(["events"], "reader");
    expect([code, lines.map(({ sessionId }) => sessionId)]).toEqual([
      0,
      ["mended", "known", "by hand", "twice", "twice"],
    ]);
    expect(lines[0]).toMatchObject({ callee: "+8613****0001", revision: 1, taskId: "7" });
    expect(lines[0]).not.toHaveProperty("extra");
    const rest = await run(["events", "--after", String(lines[0]?.["cursor"])], "reader");
    expect(rest.lines).toEqual(lines.slice(1));
  });

  it("prints new events with --follow", async () => {
    const env = { SWITCHBOARD_KEY: keyOf("reader") };
    await using program = startProgram([CLI, "events", "--follow", "--url", `${gateway.url}/`], env);
    await program.line(({ sessionId }) => sessionId === "by hand");
    await gateway.deliver(callEndedEvent({ session_id: "live" }));
    await program.line(({ sessionId }) => sessionId === "live");
    const sessions = program.output.map((line) => (JSON.parse(line) as { sessionId: string }).sessionId);
    expect(sessions).toEqual(["mended", "known", "by hand", "twice", "twice", "live"]);
  });

  it.each([
    ["without a key", ["quarantine"], null, "UNAUTHENTICATED: The gateway requires a key: set SWITCHBOARD_KEY."],
    [
      "with a key that is none",
      ["events"],
      "nobody",
      "UNAUTHENTICATED: The gateway does not know the key in SWITCHBOARD_KEY.",
    ],
    ["without the scope", ["quarantine"], "reader", "FORBIDDEN"],
    ["behind a cursor that is none", ["events", "--after", "x"], "reader", "CURSOR_INVALID"],
  ])("prints the reason of a failure in one line: %s", async (_, args, viewer, why) => {
    const { code, stderr, lines } = await run(args, viewer);
    expect(lines).toEqual([]);
    expect(code).toBe(1);
    expect(stderr).toContain(why);
    expect(stderr.trim().split("\n")).toHaveLength(1);
  });
});
