import { once } from "node:events";
import type { ServerResponse } from "node:http";
import { connect } from "node:net";
import { describe, expect, it, onTestFinished } from "vitest";
import { until } from "../../support/until.ts";
import { openServer } from "../../graphql/openServer.ts";

const ask = (path: string, more = "") => `GET ${path} HTTP/1.1\r\nhost: x\r\n${more}\r\n`;

/** A raw client. `text()` is what it has received so far. */
function client(port: number) {
  const socket = connect(port, "127.0.0.1");
  onTestFinished(() => void socket.destroy());
  let received = "";
  socket.on("data", (bytes: Buffer) => (received += bytes.toString("latin1"))).on("error", () => undefined);
  return { socket, text: () => received };
}

const bodiesOf = (text: string) => [...text.matchAll(/\r\n\r\n(\w+?)(?=HTTP|$)/g)].map(([, body]) => body);

describe("A71: a client that sends requests without reading the answers", () => {
  it("has one request started at a time, after the previous answer was read", async () => {
    const begun: { path: string; response: ServerResponse }[] = [];
    const { port } = await openServer({
      graphql: ({ url = "" }, response) => void begun.push({ path: url.slice(-1), response }),
    });
    const { socket, text } = client(port);
    socket.write(["1", "2", "3"].map((name) => ask(`/graphql?${name}`)).join(""));
    for (const name of ["1", "2", "3"]) {
      const { path, response } = await until(() => begun[Number(name) - 1]);
      expect([path, begun.length]).toEqual([name, Number(name)]);
      response.end(`answer${name}`);
    }
    await until(() => bodiesOf(text()).length === 3);
    expect(bodiesOf(text())).toEqual(["answer1", "answer2", "answer3"]);
  });

  it("needs memory for one answer", async () => {
    let answers = 0;
    const large = Buffer.alloc(16 * 1024 * 1024);
    const { url, port } = await openServer({
      recordings: (_, response) => {
        answers += 1;
        response.end(large);
      },
    });
    const { socket } = client(port);
    socket.once("data", () => socket.pause());
    socket.write(ask("/recordings/x").repeat(50));
    await until(() => socket.bytesRead > 0);
    // While others are served, further requests of the first client would have started.
    for (let count = 0; count < 5; count += 1) expect((await fetch(`${url}/livez`)).status).toBe(200);
    expect(answers).toBe(1);
  });

  it("has none of its waiting requests run after it disconnected", async () => {
    const begun: ServerResponse[] = [];
    const { url, port } = await openServer({ graphql: (_, response) => void begun.push(response) });
    const { socket } = client(port);
    socket.write(ask("/graphql").repeat(3));
    const first = await until(() => begun[0]);
    socket.destroy();
    await once(first, "close");
    await fetch(`${url}/livez`);
    expect(begun).toHaveLength(1);
  });

  it("is cut when more than a hundred small requests wait, and all of them are dropped", async () => {
    const cuts: unknown[] = [];
    const begun: ServerResponse[] = [];
    const { port } = await openServer({
      graphql: (_, response) => void begun.push(response),
      rejections: { add: (...rejection) => void cuts.push(rejection), observe() {} },
    });
    const { socket } = client(port);
    socket.write(ask("/graphql").repeat(1000));
    await once(socket, "close");
    expect([begun.length, cuts]).toEqual([1, [["connection", "pipelined", "127.0.0.1"]]]);
  });

  it("is not read from until its waiting requests are answered", async () => {
    const begun: ServerResponse[] = [];
    let isHeld = true;
    const { port } = await openServer({
      graphql: (_, response) => {
        begun.push(response);
        if (!isHeld) response.end("x");
      },
    });
    const { socket } = client(port);
    // The server reads about eight of these at once.
    const request = ask("/graphql", `x-filler: ${"x".repeat(8000)}\r\n`);
    const count = 1500;
    for (let sent = 0; sent < count; sent += 100) socket.write(request.repeat(100));
    await until(() => begun.length === 1);
    let before = -1;
    // The client sends as much as the system's buffers hold; the rest waits in it.
    await until(() => {
      const isStill = socket.bytesWritten > 0 && socket.writableLength === before;
      before = socket.writableLength;
      return isStill && before > 0;
    });
    expect([begun.length, socket.writableLength > 0]).toEqual([1, true]);
    isHeld = false;
    begun[0]?.end("x");
    await until(() => begun.length === count);
    expect(begun).toHaveLength(count);
  });
});

describe("A46: pipelined webhooks", () => {
  it("are received at once, and answered in their order", async () => {
    const received: { body: string; response: ServerResponse }[] = [];
    const { port } = await openServer({
      webhook: async (request, response) => {
        const parts: Buffer[] = [];
        for await (const part of request) parts.push(part as Buffer);
        received.push({ body: Buffer.concat(parts).toString(), response });
      },
    });
    const { socket, text } = client(port);
    const send = (body: string) => `POST /calllog HTTP/1.1\r\nhost: x\r\ncontent-length: ${body.length}\r\n\r\n${body}`;
    const bodies = Array.from({ length: 20 }, (_, at) => `event${at}`);
    socket.write(bodies.map(send).join(""));
    await until(() => received.length === 20);
    for (const { body, response } of received.toReversed()) response.end(body);
    await until(() => bodiesOf(text()).length === 20);
    expect(bodiesOf(text())).toEqual(bodies);
  });

  it("are all received, also those that two reads bring in parts", async () => {
    let received = 0;
    const { port } = await openServer({
      webhook: async (request, response) => {
        let length = 0;
        for await (const part of request) length += (part as Buffer).length;
        received += length === 700 ? 1 : 0;
        response.end("{}");
      },
    });
    const { socket, text } = client(port);
    const body = "x".repeat(700);
    socket.write(`POST /calllog HTTP/1.1\r\nhost: x\r\ncontent-length: 700\r\n\r\n${body}`.repeat(2000));
    await until(() => received === 2000);
    await until(() => text().match(/200 OK/g)?.length === 2000);
    expect([received, text().match(/200 OK/g)?.length]).toEqual([2000, 2000]);
  });
});

describe("an upgrade behind an unanswered request", () => {
  it("is not performed, because its bytes would mix with those of the answer", async () => {
    const begun: ServerResponse[] = [];
    let upgrades = 0;
    const { port } = await openServer({
      graphql: (_, response) => void begun.push(response),
      sockets: {
        upgrade: (_, socket) => ((upgrades += 1), void socket.destroy()),
        openSockets: () => [],
      },
    });
    const { socket, text } = client(port);
    socket.write(ask("/graphql") + ask("/graphql", "connection: upgrade\r\nupgrade: websocket\r\n"));
    for (const at of [0, 1]) (await until(() => begun[at])).end(`answer${at}`);
    await until(() => bodiesOf(text()).length === 2);
    expect([bodiesOf(text()), upgrades]).toEqual([["answer0", "answer1"], 0]);
  });
});
