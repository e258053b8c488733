import { connect, type Socket } from "node:net";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import {
  type Directory,
  type GatewayProgram,
  NO_SERVICE,
  spawnGateway,
  temporaryDirectory,
} from "../support/gateway.ts";
import { writeKeys } from "../support/keys.ts";
import { rise } from "../support/measuring/memory.ts";
import { until } from "../support/until.ts";

let directory: Directory;
let gateway: GatewayProgram;
beforeAll(async () => {
  directory = await temporaryDirectory();
  const API_KEYS_FILE = await writeKeys(directory.path, { web: ["calls:read"] });
  gateway = await spawnGateway(NO_SERVICE, { API_KEYS_FILE });
});
afterAll(async () => {
  await gateway[Symbol.asyncDispose]();
  await directory[Symbol.asyncDispose]();
});

const PAGE = "GET /graphql HTTP/1.1\r\nhost: x\r\naccept: text/html\r\n";
const CONNECTIONS = 20;

/** A client that sends `text`, and reads everything or only the beginning of the first answer. */
function client(text: string, reading: "everything" | "nothing"): { socket: Socket; received: () => number } {
  const socket = connect(Number(new URL(gateway.url).port), "127.0.0.1");
  socket.on("error", () => undefined);
  if (reading === "everything") socket.resume();
  else socket.once("data", () => socket.pause());
  socket.write(text);
  return { socket, received: () => socket.bytesRead };
}

describe.runIf(process.platform === "linux")(
  "A71: 400 pipelined requests for GraphiQL, of which nothing is read",
  () => {
    it.each([
      ["uncompressed", ""],
      ["compressed", "accept-encoding: gzip\r\n"],
    ])("take less than 50 MB (%s), while others are served", async (_, encoding) => {
      await (await fetch(`${gateway.url}/graphql`, { headers: { accept: "text/html" } })).bytes();
      const clients: Socket[] = [];
      const taken = await rise(gateway.process.pid as number, async () => {
        const request = `${PAGE}${encoding}\r\n`;
        const opened = Array.from({ length: CONNECTIONS }, () => client(request.repeat(20), "nothing"));
        clients.push(...opened.map(({ socket }) => socket));
        // Each client has the beginning of its first answer in its buffer, so the gateway has seen all requests.
        await until(() => opened.every(({ received }) => received() > 0));
        const { socket, received } = client(request, "everything");
        clients.push(socket);
        await until(() => received() > 2_000_000);
        expect((await fetch(`${gateway.url}/livez`)).status).toBe(200);
        expect((await gateway.ask("{ __typename }")).status).toBe(401);
      });
      for (const socket of clients) socket.destroy();
      expect(taken).toBeLessThan(50);
    });
  },
);
