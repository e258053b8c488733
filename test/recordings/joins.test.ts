import { describe, expect, it, onTestFinished } from "vitest";
import { callEndedEvent } from "../support/events.ts";
import { startGateway, temporaryDirectory } from "../support/gateway.ts";
import { bearer, writeKeys } from "../support/keys.ts";
import { startSandbox } from "../support/sandbox.ts";
import { openSse } from "../support/streams.ts";
import { audio, host } from "./hosts.ts";
import { settled } from "./world.ts";

const CALL = "sessionId status callEnded { sessionId callee recording { status } }";

async function start() {
  const parts = new AsyncDisposableStack();
  onTestFinished(() => parts.disposeAsync());
  const directory = parts.use(await temporaryDirectory());
  const keys = await writeKeys(directory.path, {
    reader: ["calls:read"],
    person: ["calls:read", "people:read", "recordings:read"],
    creator: ["tasks:create"],
  });
  const files = await host(audio);
  const sandbox = parts.use(await startSandbox());
  const env = { API_KEYS_FILE: keys, RECORDING_HOSTS: new URL(files.url).host };
  const gateway = parts.use(await startGateway(sandbox, env));
  const deliver = async (session_id: string) => {
    const event = callEndedEvent({ session_id, task_id: 0, record_url: `${files.url}/1.wav` });
    expect((await gateway.deliver(event)).status).toBe(200);
  };
  return { gateway, deliver };
}

describe("A settled recording", () => {
  it("leads to its call, with the number masked for a viewer without people:read", async () => {
    const { gateway, deliver } = await start();
    const query = `subscription { recordingSettled { ${CALL} } }`;
    const numbers = { reader: "+8613****0001", person: "+8613800010001" };
    const streams = await Promise.all(
      Object.keys(numbers).map((name) => openSse(gateway.url, { query }, { authorization: bearer(name) })),
    );
    for (const stream of streams) onTestFinished(() => stream[Symbol.asyncDispose]());
    await deliver("joined");
    const told = await Promise.all(streams.map(async (stream) => (await stream.next()).data));
    expect(told).toEqual(
      Object.values(numbers).map((callee) => ({
        recordingSettled: {
          sessionId: "joined",
          status: "ARCHIVED",
          callEnded: { sessionId: "joined", callee, recording: { status: "ARCHIVED" } },
        },
      })),
    );
  });

  it("leads to its call from a list and as a node, and to no call for a viewer without calls:read", async () => {
    const { gateway, deliver } = await start();
    const headers = { authorization: bearer("person") };
    const ask = {
      ask: (query: string, variables: unknown) => gateway.ask(query, variables, headers),
    } as typeof gateway;
    for (const name of ["a", "b", "c"]) await deliver(name);
    const { id } = await settled(ask, "c", "ARCHIVED");
    const { data } = await gateway.ask(
      `query($id: ID!) {
        callEndedEvents(first: 3) { nodes { recording { sessionId callEnded { sessionId } } } }
        node(id: $id) { ... on Recording { sessionId callEnded { sessionId } } }
      }`,
      { id },
      headers,
    );
    const joined = (sessionId: string) => ({ sessionId, callEnded: { sessionId } });
    expect(data).toEqual({
      callEndedEvents: { nodes: ["a", "b", "c"].map((name) => ({ recording: joined(name) })) },
      node: joined("c"),
    });
    const query = "query($id: ID!) { node(id: $id) { ... on Recording { callEnded { sessionId } } } }";
    const { errors } = await gateway.ask(query, { id }, { authorization: bearer("creator") });
    expect(errors?.[0]?.extensions["code"]).toBe("FORBIDDEN");
  });
});
