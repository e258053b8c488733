import { connect } from "node:net";
import type { IncomingMessage, ServerResponse } from "node:http";
import { describe, expect, it } from "vitest";
import { BODY_BUDGET } from "../../../src/config/limits.ts";
import { endLingering, readBody } from "../../../src/server/body/readBody.ts";
import { until } from "../../support/until.ts";
import { exchange, serve } from "../serve.ts";

const LIMIT = 1000;

/** Answers with the body, or with 413. */
const answer = (request: IncomingMessage, response: ServerResponse) => {
  void readBody(request, LIMIT, () => () => true).then(
    (body) => {
      if (typeof body !== "string")
        response.writeHead(200, { connection: "close" }).end(`read ${body.length} ${body.toString("hex").slice(0, 8)}`);
      else response.writeHead(body === "too large" ? 413 : 429, { connection: "close" }).end(body);
    },
    () => response.destroy(),
  );
};

const post = (...headers: string[]) => `POST / HTTP/1.1\r\nhost: x\r\n${headers.join("\r\n")}\r\n\r\n`;
const chunk = (length: number) => `${length.toString(16)}\r\n${"x".repeat(length)}\r\n`;

describe("a refused body", () => {
  it("is discarded for a second, up to a megabyte and what is in flight", async () => {
    let bytesRead = 0;
    await using server = await serve((request, response) => {
      request.socket.once("close", () => (bytesRead = request.socket.bytesRead));
      endLingering(request, response.writeHead(413, { connection: "close" }), "too large");
    });
    const endless = connect(server.port, "127.0.0.1");
    endless.on("error", () => undefined);
    const piece = Buffer.alloc(64 * 1024);
    const push = () => {
      while (!endless.destroyed && endless.write(piece));
    };
    let received = "";
    endless.on("data", (chunk: Buffer) => (received += chunk.toString())).on("drain", push);
    endless.write(post("content-length: 99999999999"));
    push();
    await new Promise((resolve) => endless.once("close", resolve));
    await until(() => bytesRead > 0);
    expect(received).toContain("too large");
    expect(bytesRead).toBeLessThan(4 * 1024 * 1024);
  });
});

describe("a body within the limit", () => {
  it.each([0, 1, LIMIT])("is read whole with %i bytes", async (length) => {
    await using server = await serve(answer);
    const response = await fetch(server.url, { method: "POST", body: Buffer.alloc(length, 0xd8) });
    expect(await response.text()).toBe(`read ${length} ${"d8".repeat(Math.min(length, 4))}`);
  });

  // One read of a socket has 64 KiB, and a request is given two of them before its sender has to wait.
  it.each([60_000, 65_536, 70_000, 100_000, 130_000])(
    "is read whole if all %i bytes arrived before",
    async (length) => {
      await using server = await serve((request, response) => {
        void until(() => request.readableLength === length)
          .then(() => readBody(request, length, () => () => true))
          .then((body) => response.writeHead(200, { connection: "close" }).end(body));
      });
      const sent = Buffer.from(Array.from({ length }, (_, at) => at % 251));
      const response = await fetch(server.url, { method: "POST", body: sent });
      expect(sent.equals(Buffer.from(await response.arrayBuffer()))).toBe(true);
    },
  );

  it("is read at once if it arrived with its head, and the connection stays usable", async () => {
    const listening: number[] = [];
    const ended: unknown[] = [];
    const echo = async (request: IncomingMessage, response: ServerResponse) => {
      request.once("end", () => ended.push(request.url));
      await Promise.resolve();
      const reading = readBody(request, LIMIT, () => () => true);
      listening.push(request.listenerCount("data"));
      response.writeHead(200, { connection: request.url === "/2" ? "close" : "keep-alive" }).end(await reading);
    };
    await using server = await serve((request, response) => void echo(request, response));
    const whole = (url: string) => `POST ${url} HTTP/1.1\r\nhost: x\r\ncontent-length: 5\r\n\r\nbody${url.at(-1)}`;
    const got = await exchange(server.port, whole("/1") + whole("/2"));
    expect(got.match(/body\d/g)).toEqual(["body1", "body2"]);
    expect({ listening, ended }).toEqual({ listening: [0, 0], ended: ["/1", "/2"] });
  });

  it.each([
    ["is not", 0],
    ["is", 1],
  ])("%s counted towards the budget of bodies with %i bytes more than BODY_BUDGET allows", async (_, more) => {
    let budgets = 0;
    const openBudget = () => {
      budgets += 1;
      return () => true;
    };
    await using server = await serve((request, response) => {
      void readBody(request, 2 * BODY_BUDGET.uncounted, openBudget).then((body) => response.end(`read ${body.length}`));
    });
    const body = "x".repeat(BODY_BUDGET.uncounted + more);
    const got = await exchange(server.port, post("connection: close", `content-length: ${body.length}`), body);
    expect([got.endsWith(`read ${body.length}`), budgets]).toEqual([true, more]);
  });

  it("is read whole in chunks", async () => {
    await using server = await serve(answer);
    const got = await exchange(server.port, post("transfer-encoding: chunked"), chunk(400), chunk(600), "0\r\n\r\n");
    expect(got).toMatch(/^HTTP\/1\.1 200 [^]*read 1000/);
  });
});

describe("a body over the limit", () => {
  it("is refused by its content-length before a byte is read", async () => {
    await using server = await serve(answer);
    expect(await exchange(server.port, post(`content-length: ${LIMIT + 1}`))).toMatch(/^HTTP\/1\.1 413 /);
    expect(await exchange(server.port, post("content-length: 99999999999999999999999"))).toMatch(/^HTTP\/1\.1 4/);
  });

  it("is refused so that its sender receives the answer, also a late one", async () => {
    await using server = await serve((request, response) => {
      void readBody(request, LIMIT, () => () => true).then(async (body) => {
        await new Promise((resolve) => setImmediate(resolve));
        response.writeHead(body === "too large" ? 413 : 200, { connection: "close" }).end();
      });
    });
    const got = await exchange(server.port, post("transfer-encoding: chunked"), chunk(LIMIT + 1));
    expect(got).toMatch(/^HTTP\/1\.1 413 /);
  });

  it("is refused as soon as it exceeds the limit without content-length", async () => {
    await using server = await serve(answer);
    const got = await exchange(server.port, post("transfer-encoding: chunked"), chunk(LIMIT), chunk(1));
    expect(got).toMatch(/^HTTP\/1\.1 413 [^]*too large/);
  });
});

describe("a body that never ends", () => {
  it("is given up when its client disconnects", async () => {
    const given = Promise.withResolvers<string>();
    await using server = await serve((request) => {
      readBody(request, LIMIT, () => () => true).then(
        () => given.resolve("read"),
        () => given.resolve("given up"),
      );
      request.once("data", () => request.socket.destroy());
    });
    await exchange(server.port, post("content-length: 500"), "some");
    expect(await given.promise).toBe("given up");
  });
});
