// The gateway relies on behaviour of ws that its documentation does not promise: it writes frames past ws (sharedFrames.ts),
// stops the parser of ws (socketConnection.ts), and passes options that the types of ws lack (wsOptions.ts). These tests fail
// when a version of ws changes that.
import { once } from "node:events";
import { createServer } from "node:http";
import { connect, type AddressInfo, type Socket } from "node:net";
import { describe, expect, it, onTestFinished } from "vitest";
import { WebSocket, WebSocketServer } from "ws";
import { createFrameBuffer, encodeNextFrames } from "../../src/websocket/sharedFrames.ts";
import { discardInput } from "../../src/websocket/socketConnection.ts";
import { closeCodeOf, wsOptions } from "../../src/websocket/wsOptions.ts";
import { until } from "../support/until.ts";

const PROTOCOL = "graphql-transport-ws";

/** A server of ws with the gateway's options; resolves with its URL. `onSocket` gets each socket and its TCP stream. */
async function serve(onSocket: (socket: WebSocket, stream: Socket) => void): Promise<{ url: string; port: number }> {
  const webSockets = new WebSocketServer(wsOptions);
  const server = createServer().on("upgrade", (request, stream, head) => {
    webSockets.handleUpgrade(request, stream, head, (socket) => onSocket(socket, stream as Socket));
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => void server.close());
  const { port } = server.address() as AddressInfo;
  return { url: `ws://127.0.0.1:${port}/graphql`, port };
}

function openClient(url: string): WebSocket {
  const client = new WebSocket(url, PROTOCOL);
  onTestFinished(() => client.terminate());
  return client;
}

/** A TCP connection after the upgrade, for frames that a client of ws would not send. */
async function openRawClient(port: number): Promise<Socket> {
  const client = connect(port, "127.0.0.1").on("error", () => undefined);
  onTestFinished(() => void client.destroy());
  const key = Buffer.alloc(16).toString("base64");
  client.write(
    `GET /graphql HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\n` +
      `Sec-WebSocket-Protocol: ${PROTOCOL}\r\nSec-WebSocket-Key: ${key}\r\n\r\n`,
  );
  await once(client, "data");
  return client.resume();
}

/** A masked frame with the mask 0, so that its payload is sent as it is. */
const frame = (firstByte: number, payload = Buffer.alloc(0)) =>
  Buffer.concat([Buffer.from([firstByte, 0x80 | payload.length, 0, 0, 0, 0]), payload]);
const TEXT = 0x81;
const TEXT_BEGIN = 0x01;
const CONTINUATION = 0x00;
const BINARY_RESERVED_BIT = 0xc2;

describe("contract with ws: frames past ws", () => {
  it("arrive whole and in order between messages that ws sends", async () => {
    const prefix = Buffer.from('{"id":"1","type":"next","payload":');
    const { url } = await serve((socket, stream) => {
      for (let at = 0; at < 20; at += 1) {
        socket.send(JSON.stringify({ at: 2 * at, pad: "x".repeat(50_000) }));
        const payload = Buffer.from(JSON.stringify({ at: 2 * at + 1 }));
        stream.write(encodeNextFrames(prefix, [{ payload }], createFrameBuffer()));
      }
    });
    const order: number[] = [];
    openClient(url).on("message", (data: Buffer) => {
      const message = JSON.parse(data.toString()) as { at?: number; payload?: { at: number } };
      order.push(message.at ?? message.payload?.at ?? -1);
    });
    await until(() => order.length === 40);
    expect(order).toEqual(Array.from({ length: 40 }, (_, at) => at));
  });
});

describe("contract with ws: discarded input", () => {
  it("is not parsed once the data listeners of the stream are removed", async () => {
    const messages: string[] = [];
    let stream: Socket | undefined;
    const { port } = await serve((socket, accepted) => {
      stream = accepted;
      socket
        .on("error", () => undefined)
        .on("message", (data: Buffer) => {
          messages.push(data.toString());
          discardInput(accepted);
        });
    });
    const client = await openRawClient(port);
    client.write(frame(TEXT, Buffer.from("first")));
    await until(() => messages.length === 1);
    client.write(frame(TEXT, Buffer.from("second")));
    client.end();
    await until(() => stream?.closed);
    expect(messages).toEqual(["first"]);
  });
});

describe("contract with ws: invalid input", () => {
  it.each<[string, number, () => Buffer]>([
    ["a message over 64 KiB", 1009, () => Buffer.from([TEXT, 0xff, 0, 0, 0, 0, 0, 1, 0, 1, 0, 0, 0, 0])],
    ["text that is not UTF-8", 1007, () => frame(TEXT, Buffer.from([0xff, 0xfe]))],
    [
      "257 fragments of one message",
      1008,
      () => Buffer.concat([frame(TEXT_BEGIN), ...Array.from({ length: 257 }, () => frame(CONTINUATION))]),
    ],
    ["a reserved bit", 1002, () => frame(BINARY_RESERVED_BIT)],
  ])("%s emits an error whose code means the close code %i", async (_, code, bytes) => {
    const codes: (number | null)[] = [];
    const { port } = await serve((socket) => socket.on("error", (error) => codes.push(closeCodeOf(error))));
    const client = await openRawClient(port);
    client.write(bytes());
    await until(() => codes.length > 0);
    expect(codes).toEqual([code]);
  });

  it("has no close code for an error of the network", () => {
    expect(closeCodeOf(Object.assign(new Error("read"), { code: "ECONNRESET" }))).toBeNull();
  });
});
