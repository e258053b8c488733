import { once } from "node:events";
import { OperationTypeNode, parse, type ExecutionResult } from "graphql";
import { describe, expect, it, onTestFinished } from "vitest";
import { WebSocket } from "ws";
import type { OperationPipeline } from "../../src/graphql/operation.ts";
import { until } from "../support/until.ts";
import { openAcknowledged, pipelineOf, serveSockets } from "./serveSockets.ts";

const source = "subscription { callEnded { sessionId } }";
const LARGE = "x".repeat(64 * 1024);

interface Reader {
  pulled: number;
  ended: boolean;
}
type Results = AsyncIterableIterator<ExecutionResult>;

/** Every subscription gets a stream of `streamFor`, which ends with its socket. */
function streamingPipeline(streamFor: () => Results): OperationPipeline {
  return {
    prepare: () => ({
      kind: OperationTypeNode.SUBSCRIPTION,
      document: parse(source),
      name: null,
      run: async () => streamFor(),
    }),
  };
}

/** Endless streams of large results, with the number of pulled results, and whether the stream was ended. */
function endless() {
  const readers: Reader[] = [];
  const streamFor = (): Results => {
    const reader: Reader = { pulled: 0, ended: false };
    readers.push(reader);
    return {
      async next() {
        await new Promise((resolve) => setImmediate(resolve));
        if (reader.ended) return { done: true, value: undefined };
        reader.pulled += 1;
        return { done: false, value: { data: { text: LARGE } } };
      },
      async return() {
        reader.ended = true;
        return { done: true, value: undefined };
      },
      [Symbol.asyncIterator]() {
        return this;
      },
    };
  };
  return { pipeline: streamingPipeline(streamFor), readers };
}

/** A stream without results. */
function silent(): Results {
  return {
    next: () => new Promise(() => undefined),
    return: async () => ({ done: true, value: undefined }),
    [Symbol.asyncIterator]() {
      return this;
    },
  };
}

async function listen(pipeline: OperationPipeline, stallMs: number): Promise<string> {
  return (await serveSockets({ pipeline, heartbeatTimes: { pingMs: 20, stallTimeoutMs: stallMs } })).url;
}

async function subscribe(url: string) {
  const socket = await openAcknowledged(url);
  let received = 0;
  socket.on("message", () => (received += 1));
  socket.send(JSON.stringify({ id: "1", type: "subscribe", payload: { query: source } }));
  return { socket, received: () => received };
}

describe("a reader that stops reading", () => {
  it("is closed with 1013 after the stall timeout, and costs no more than the network buffers", async () => {
    const { pipeline, readers } = endless();
    const { socket } = await subscribe(await listen(pipeline, 300));
    socket.pause();
    const reader = await until(() => readers[0]);
    await until(() => reader.ended);
    // The buffers of its socket took some results; then no more were pulled.
    expect(reader.pulled).toBeLessThan(1000);
    socket.resume();
    const [code] = (await once(socket, "close")) as [number];
    expect(code).toBe(1013);
  });

  it("does not delay others", async () => {
    const { pipeline } = endless();
    const url = await listen(pipeline, 60_000);
    const slow = await subscribe(url);
    slow.socket.pause();
    const quick = await subscribe(url);
    await until(() => quick.received() > 200);
    expect(quick.socket.readyState).toBe(WebSocket.OPEN);
    expect(slow.received()).toBeLessThan(quick.received());
  });

  it("continues where it was if it reads again in time", async () => {
    const { pipeline, readers } = endless();
    const { socket, received } = await subscribe(await listen(pipeline, 60_000));
    const reader = await until(() => readers[0]);
    socket.pause();
    let before = -1;
    await until(() => {
      const isStill = reader.pulled === before;
      before = reader.pulled;
      return isStill;
    });
    socket.resume();
    await until(() => received() > before + 100);
    expect(reader.ended).toBe(false);
  });
});

describe("a client that sends requests and does not read", () => {
  const ANSWER = LARGE.repeat(4);
  /** Answers each query at once with a large result. */
  function answering() {
    const asked = { count: 0 };
    const pipeline = pipelineOf(() => {
      asked.count += 1;
      return { data: { text: ANSWER } };
    });
    return { pipeline, asked };
  }

  /** Sends queries and completes them, as fast as the token bucket allows. */
  function keepAsking(socket: WebSocket): () => void {
    let sent = 0;
    const timer = setInterval(() => {
      sent += 1;
      socket.send(JSON.stringify({ id: `${sent}`, type: "subscribe", payload: { query: "{ __typename }" } }));
      socket.send(JSON.stringify({ id: `${sent - 3}`, type: "complete" }));
    }, 10);
    onTestFinished(() => clearInterval(timer));
    return () => clearInterval(timer);
  }

  it("is paused, is not kept alive by its requests, and is closed with 1013", async () => {
    const { pipeline, asked } = answering();
    const { sockets, url } = await serveSockets({ pipeline, heartbeatTimes: { pingMs: 100, stallTimeoutMs: 1500 } });
    const socket = await openAcknowledged(url);
    socket.pause();
    const stop = keepAsking(socket);
    await until(() => sockets.size() === 0);
    stop();
    // As much as the system's buffers of both ends hold, not one answer for each query.
    expect(asked.count * ANSWER.length).toBeLessThan(24 * 1024 * 1024);
  });

  it("is resumed when it reads again", async () => {
    const { pipeline, asked } = answering();
    const { url } = await serveSockets({ pipeline, heartbeatTimes: { pingMs: 1000, stallTimeoutMs: 60_000 } });
    const socket = await openAcknowledged(url);
    socket.pause();
    const stop = keepAsking(socket);
    let before = -1;
    await until(() => {
      const isStill = asked.count > 10 && asked.count === before;
      before = asked.count;
      return isStill;
    });
    stop();
    socket.resume();
    const pong = once(socket, "pong");
    socket.ping();
    await pong;
    expect(socket.readyState).toBe(WebSocket.OPEN);
    expect(asked.count).toBeGreaterThan(before);
  });
});

describe("a socket that never sends connection_init and never reads", () => {
  it("is closed within seconds, although it sends", async () => {
    const { sockets, url } = await serveSockets({ pipeline: streamingPipeline(silent) });
    const socket = new WebSocket(url, "graphql-transport-ws");
    onTestFinished(() => socket.terminate());
    await once(socket, "open");
    socket.pause();
    for (let at = 0; at < 40; at += 1)
      socket.send(JSON.stringify({ type: "ping", payload: { text: LARGE.slice(0, 60_000) } }));
    await until(() => sockets.size() === 1);
    await until(() => sockets.size() === 0);
    expect(sockets.size()).toBe(0);
  });
});

/** Both ends share a process: a busy machine lets neither run for a while. */
const STALL_MS = 600;
/** They take longer than the time after which a socket without progress is closed. */
const PINGS = 40;

describe("an idle reader", () => {
  it("stays connected by its pongs", async () => {
    const { socket } = await subscribe(await listen(streamingPipeline(silent), STALL_MS));
    let pings = 0;
    socket.on("ping", () => (pings += 1));
    await until(() => pings > PINGS);
    expect(socket.readyState).toBe(WebSocket.OPEN);
  });

  it("stays connected by its messages if it answers no ping", async () => {
    const url = await listen(streamingPipeline(silent), STALL_MS);
    const socket = new WebSocket(url, "graphql-transport-ws", { autoPong: false });
    onTestFinished(() => socket.terminate());
    await once(socket, "open");
    socket.send('{"type":"connection_init"}');
    let pings = 0;
    socket.on("ping", () => {
      pings += 1;
      if (pings <= PINGS) socket.send('{"type":"pong"}');
    });
    const [code] = (await once(socket, "close")) as [number];
    expect([pings > PINGS, code]).toEqual([true, 1013]);
  });
});
