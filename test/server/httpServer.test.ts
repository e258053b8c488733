import { connect } from "node:net";
import { describe, expect, it, onTestFinished } from "vitest";
import { createConnectionGuard } from "../../src/server/connections/connectionGuard.ts";
import { until } from "../support/until.ts";
import { openServer } from "../graphql/openServer.ts";
import { exchange } from "./serve.ts";

const listen = async (own: Parameters<typeof openServer>[0]): Promise<string> => (await openServer(own)).url;

describe("A26: many simultaneous requests for /readyz", () => {
  it("share one query to the database", async () => {
    const asked: PromiseWithResolvers<boolean>[] = [];
    const url = await listen({
      isReady() {
        const answer = Promise.withResolvers<boolean>();
        asked.push(answer);
        return answer.promise;
      },
    });
    const ask = async () => (await fetch(`${url}/readyz`)).status;
    const first = ask();
    await until(() => asked.length === 1);
    const others = Array.from({ length: 50 }, ask);
    // The first requests share one query; only a later request starts another one.
    await fetch(`${url}/livez`);
    asked[0]?.resolve(false);
    expect(await first).toBe(503);
    const again = setInterval(() => asked.forEach(({ resolve }) => resolve(true)), 1);
    await Promise.all(others);
    clearInterval(again);
    expect(asked.length).toBeLessThan(10);
  });
});

describe("a stopping server", () => {
  it("waits for running requests, and not for idle connections", async () => {
    const asked: PromiseWithResolvers<boolean>[] = [];
    const { url, close } = await openServer({
      isReady() {
        const answer = Promise.withResolvers<boolean>();
        asked.push(answer);
        return answer.promise;
      },
    });
    const answer = fetch(`${url}/readyz`);
    await until(() => asked.length === 1);
    const closed = close(60_000);
    const isRefused = () =>
      fetch(`${url}/livez`).then(
        () => false,
        () => true,
      );
    await until(isRefused);
    asked[0]?.resolve(true);
    expect(await (await answer).text()).toBe("ready\n");
    await closed;
  });
});

/** A connection that has had one answer. `ask` sends another request, and resolves with its answer. */
async function openIdle(port: number) {
  const socket = connect(port, "127.0.0.1");
  onTestFinished(() => void socket.destroy());
  let received = "";
  socket.on("data", (chunk: Buffer) => (received += chunk.toString("latin1"))).on("error", () => undefined);
  const ask = async (path: string) => {
    received = "";
    socket.write(`GET ${path} HTTP/1.1\r\nhost: x\r\n\r\n`);
    return until(() => (/\r\n\r\n./.test(received) && received) || (socket.closed && "closed"));
  };
  await ask("/livez");
  return { ask, isClosed: () => socket.closed };
}

describe("a server that leaves before it stops", () => {
  it("answers on idle connections after it has stopped listening, and closes them last", async () => {
    const { port, close } = await openServer({});
    const idle = await Promise.all(Array.from({ length: 100 }, () => openIdle(port)));
    const last = idle.pop();
    const closed = close(60_000, 1);
    const isRefused = () =>
      new Promise<boolean>((resolve) => {
        const socket = connect(port, "127.0.0.1", () => resolve(Boolean(socket.destroy()) && false));
        socket.on("error", () => resolve(true));
      });
    await until(isRefused);
    expect(await idle.pop()?.ask("/livez")).toMatch(/^HTTP\/1.1 200 OK\r\n[^]*connection: close\r\n/i);
    expect(last?.isClosed()).toBe(false);
    await closed;
    await until(() => last?.isClosed());
  });
});

describe("a server that does not serve yet", () => {
  it("is closed at once", async () => {
    const { url, close } = await openServer({}, { serves: false });
    expect((await fetch(`${url}/livez`)).status).toBe(200);
    expect((await fetch(`${url}/readyz`)).status).toBe(503);
    await close(3_600_000, 3_600_000);
    await expect(fetch(`${url}/livez`)).rejects.toThrow();
  });
});

describe("an answer that is being read while the server stops", () => {
  it("is sent to its end, and the request pipelined behind it is answered", async () => {
    const LARGE = 48 * 1024 * 1024;
    let answers = 0;
    const { port, close } = await openServer({
      graphql: (_, response) => {
        answers += 1;
        response.end(Buffer.alloc(LARGE));
      },
    });
    const socket = connect(port, "127.0.0.1").pause();
    onTestFinished(() => void socket.destroy());
    socket.write("GET /graphql HTTP/1.1\r\nhost: x\r\n\r\n".repeat(2));
    await until(() => answers === 1);
    const closed = close(60_000);
    // Gives the server time to close connections that it takes for idle.
    for (let turn = 0; turn < 5; turn += 1) await fetch(`http://127.0.0.1:${port}/livez`).catch(() => null);
    socket.resume();
    await closed;
    await until(() => socket.closed);
    expect([answers, socket.bytesRead > 2 * LARGE]).toEqual([2, true]);
  });
});

describe("A45: the connection guard", () => {
  it("is asked for each connection before it is read, and notified when it is closed", async () => {
    const door = createConnectionGuard();
    const entered: string[] = [];
    const left: string[] = [];
    let isOpen = true;
    const url = await listen({
      connectionGuard: {
        ...door,
        open: (address) => (isOpen ? (entered.push(address), true) : false),
        close: (address) => void left.push(address),
      },
    });
    const port = Number(new URL(url).port);
    for (const text of ["GET /livez HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n", "no HTTP\r\n\r\n"])
      expect(await exchange(port, text)).toMatch(/^HTTP\/1\.1 [24]00 /);
    await until(() => left.length === 2);
    expect([entered, left]).toEqual([Array(2).fill("127.0.0.1"), Array(2).fill("127.0.0.1")]);
    isOpen = false;
    expect(await exchange(port, "GET /livez HTTP/1.1\r\nhost: x\r\n\r\n")).toBe("");
    expect(left).toHaveLength(2);
  });
});

describe("A20: a page whose DNS name points at the loopback", () => {
  const ask = async (url: string, host: string) =>
    Number(
      (
        await exchange(Number(new URL(url).port), `GET /livez HTTP/1.1\r\nhost: ${host}\r\nconnection: close\r\n\r\n`)
      ).slice(9, 12),
    );

  it("is refused by an open gateway on the loopback, whose own names are accepted", async () => {
    const url = await listen({ loopbackOnly: true });
    for (const host of [
      "evil.example",
      "evil.example:80",
      "127.0.0.1.evil.example",
      "localhost.evil.example",
      "10.0.0.1",
    ])
      expect([host, await ask(url, host)]).toEqual([host, 400]);
    for (const host of ["localhost", "localhost:4000", "127.0.0.1:4000", "[::1]:4000"])
      expect([host, await ask(url, host)]).toEqual([host, 200]);
  });

  it("is not refused elsewhere, because a proxy may be in front", async () => {
    expect(await ask(await listen({}), "calls.example")).toBe(200);
  });
});
