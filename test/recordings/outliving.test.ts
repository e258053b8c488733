import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { connectSandbox } from "../support/emptySandbox.ts";
import { startGateway, type TestGateway } from "../support/gateway.ts";
import { openSocket, openSse, subscribe } from "../support/streams.ts";
import { until } from "../support/until.ts";
import {
  allowing,
  fetchDigest,
  linkOf,
  mortalSandbox,
  settled,
  sandboxDigest,
  findEvent,
  type MortalSandbox,
  type Recording,
} from "./world.ts";

let sandbox: MortalSandbox;
let gateway: TestGateway;
beforeAll(async () => {
  sandbox = await mortalSandbox();
  gateway = await startGateway(sandbox, allowing(sandbox));
  connectSandbox(sandbox, gateway);
});
afterAll(async () => {
  await gateway[Symbol.asyncDispose]();
  await sandbox[Symbol.asyncDispose]();
});

async function linksDie(sessionId: string): Promise<void> {
  const link = await linkOf(gateway, sessionId);
  sandbox.linksDie();
  expect((await fetch(link)).status).toBe(410);
}
const endCall = (own = {}) => sandbox.control.endCall(own).sessionId;
const counts = async () => {
  const { data } = await gateway.ask<{ gateway: { recordings: object } }>(
    "{ gateway { recordings { pending archived lost } } }",
  );
  return data?.gateway.recordings as { pending: number; archived: number; lost: number };
};

describe("A recording whose link expires", () => {
  it("plays byte for byte afterwards", async () => {
    const sessionId = endCall();
    const recording = await settled(gateway, sessionId, "ARCHIVED");
    expect(recording).toMatchObject({ contentType: "audio/wav", failure: null });
    await linksDie(sessionId);
    expect(await fetchDigest(gateway, recording)).toBe(sandboxDigest(sessionId));
  });

  it("plays byte for byte after further deliveries of its event", async () => {
    const sessionId = endCall();
    await settled(gateway, sessionId, "ARCHIVED");
    const before = await counts();
    for (let time = 0; time < 3; time += 1) endCall({ sessionId, talkTime: 30 + time });
    await until(async () => {
      const { data } = await gateway.ask<{ callEnded: { revision: number } }>(
        `{ callEnded(sessionId: "${sessionId}") { revision } }`,
      );
      return (data?.callEnded.revision ?? 0) > 3;
    });
    await linksDie(sessionId);
    expect(await fetchDigest(gateway, await settled(gateway, sessionId, "ARCHIVED"))).toBe(sandboxDigest(sessionId));
    expect(await counts()).toEqual(before);
  });

  it("plays byte for byte if the first download got 404", async () => {
    sandbox.control.addFault({ match: { path: "/recordings" }, kind: "status", status: 404, times: 1 });
    const sessionId = endCall();
    const waiting = await until(async () => {
      const recording = (await findEvent(gateway, sessionId))?.recording;
      return recording?.failure && recording;
    });
    expect(waiting).toMatchObject({ status: "PENDING", failure: "The file's host answered 404.", url: null });
    const recording = await settled(gateway, sessionId, "ARCHIVED");
    await linksDie(sessionId);
    expect(await fetchDigest(gateway, recording)).toBe(sandboxDigest(sessionId));
  });

  it("plays byte for byte if its first download broke off, whose part is never served", async () => {
    sandbox.control.addFault({ match: { path: "/recordings" }, kind: "truncate", times: 1 });
    const sessionId = endCall();
    expect(await fetchDigest(gateway, await settled(gateway, sessionId, "ARCHIVED"))).toBe(sandboxDigest(sessionId));
  });
});

describe("A recording that cannot be downloaded", () => {
  const deliver = async (sessionId: string, recordUrl: string) => {
    const event = {
      event_name: "call_ended",
      event_data: { session_id: sessionId, hangup_side: "callee", duration: 1, record_url: recordUrl },
    };
    expect((await gateway.deliver(event)).status).toBe(200);
  };

  it("is LOST, with a reason that does not contain its link", async () => {
    const link = "https://elsewhere.example/canary-link.wav";
    await deliver("lost-1", link);
    expect(await settled(gateway, "lost-1", "LOST")).toMatchObject({
      failure: "The link is refused: its host is not one of RECORDING_HOSTS.",
      url: null,
      urlExpiresAt: null,
      bytes: null,
    });
    expect(gateway.output.join("\n")).not.toContain("canary-link");
  });

  it("is downloaded when a later event has a new link", async () => {
    await deliver("lost-2", "https://elsewhere.example/old.wav");
    await settled(gateway, "lost-2", "LOST");
    endCall({ sessionId: "lost-2" });
    expect(await fetchDigest(gateway, await settled(gateway, "lost-2", "ARCHIVED"))).toBe(sandboxDigest("lost-2"));
  });
});

describe("The status of recordings", () => {
  it("is counted in gateway.recordings", async () => {
    const before = await counts();
    await settled(gateway, endCall(), "ARCHIVED");
    expect(await counts()).toEqual({ ...before, archived: before.archived + 1 });
  });

  it("is shown by node(id) and on the call's event, and is null without a recording", async () => {
    const { id } = await settled(gateway, endCall(), "ARCHIVED");
    const query = "query($id: ID!) { node(id: $id) { __typename id ... on Recording { status } } }";
    expect((await gateway.ask(query, { id })).data).toEqual({
      node: { __typename: "Recording", id, status: "ARCHIVED" },
    });
    const unanswered = endCall({ answered: false });
    await until(() => findEvent(gateway, unanswered));
    expect((await findEvent(gateway, unanswered))?.recording).toBeNull();
  });

  it("is shown in the service's list", async () => {
    const sessionId = endCall();
    await settled(gateway, sessionId, "ARCHIVED");
    const { data } = await gateway.ask<{ callLogs: { nodes: { sessionId: string; recording: Recording | null }[] } }>(
      "{ callLogs(first: 100) { nodes { sessionId recording { status } } } }",
    );
    const call = data?.callLogs.nodes.find((node) => node.sessionId === sessionId);
    expect(call?.recording).toEqual({ status: "ARCHIVED" });
  });

  interface Settled {
    recordingSettled: { id: string; status: string; url: string };
  }
  const subscribers = async () =>
    (await gateway.ask<{ gateway: { subscribers: number } }>("{ gateway { subscribers } }")).data?.gateway.subscribers;
  const SUBSCRIPTION = `subscription($filter: CallEndedFilter) { recordingSettled(filter: $filter) { id status url } }`;
  it.each([
    ["server-sent events", () => openSse<Settled>(gateway.url, { query: SUBSCRIPTION })],
    ["WebSocket", async () => subscribe<Settled>(openSocket(gateway.url), SUBSCRIPTION)],
  ])("live over %s, with an address to hear it at", async (_, open) => {
    await until(async () => (await subscribers()) === 0);
    await using stream = await open();
    await until(async () => (await subscribers()) === 1);
    const sessionId = endCall();
    const result = await stream.next();
    const recording = await settled(gateway, sessionId, "ARCHIVED");
    expect(result.data?.recordingSettled).toMatchObject({ id: recording.id, status: "ARCHIVED" });
    expect(await fetchDigest(gateway, result.data?.recordingSettled as never)).toBe(sandboxDigest(sessionId));
  });

  it("reaches subscribers if it is LOST, with the reason and without an address", async () => {
    const query = "subscription { recordingSettled { id status url failure } }";
    await using stream = await openSse<Settled>(gateway.url, { query });
    const event = {
      session_id: "lost-live",
      hangup_side: "callee",
      duration: 1,
      record_url: "https://elsewhere.example/lost.wav",
    };
    await gateway.deliver({ event_name: "call_ended", event_data: event });
    const { id, failure } = await settled(gateway, "lost-live", "LOST");
    expect(failure).toContain("RECORDING_HOSTS");
    expect((await stream.next()).data?.recordingSettled).toEqual({ id, status: "LOST", url: null, failure });
  });

  it("reaches subscribers only for calls that match their filter", async () => {
    await using stream = await openSse<Settled>(gateway.url, {
      query: SUBSCRIPTION,
      variables: { filter: { direction: "OUTBOUND" } },
    });
    await settled(gateway, endCall({ direction: "inbound" }), "ARCHIVED");
    const outbound = await settled(gateway, endCall({ direction: "outbound" }), "ARCHIVED");
    expect((await stream.next()).data?.recordingSettled.id).toBe(outbound.id);
  });
});
