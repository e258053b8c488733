// Hosts of recordings on this machine's loopback, good ones and bad ones, that remember who came.
import { once } from "node:events";
import { createServer, type IncomingHttpHeaders, type RequestListener } from "node:http";
import type { AddressInfo, Socket } from "node:net";
import { readdir } from "node:fs/promises";
import { onTestFinished } from "vitest";
import { createFetcher, type Fetcher, type FetcherOptions } from "../../src/recordings/fetchRecording.ts";
import type { HostRules } from "../../src/upstream/outside/hostRules.ts";
import { openSpool } from "../../src/recordings/spool.ts";
import { SHORT_SOUND } from "../support/sandboxSound.ts";
import { tempFile } from "../store/tempStore.ts";

export interface Host {
  /** http://127.0.0.1:PORT, or another of loopback's addresses. */
  url: string;
  port: number;
  /** Headers of every request that came. */
  seen: IncomingHttpHeaders[];
  /** Sockets that were opened. */
  dialled: () => number;
}

export async function host(answer: RequestListener, address = "127.0.0.1"): Promise<Host> {
  const seen: IncomingHttpHeaders[] = [];
  const sockets = new Set<Socket>();
  let dialled = 0;
  const server = createServer((request, response) => {
    seen.push(request.headers);
    response.on("error", () => undefined);
    answer(request, response);
  });
  server.on("connection", (socket) => {
    dialled += 1;
    sockets.add(socket);
    socket.on("error", () => undefined);
  });
  server.listen(0, address);
  await once(server, "listening");
  onTestFinished(() => {
    server.close();
    for (const socket of sockets) socket.destroy();
  });
  const { port } = server.address() as AddressInfo;
  const name = address.includes(":") ? `[${address}]` : address;
  return { url: `http://${name}:${port}`, port, seen, dialled: () => dialled };
}

export const SOUND = SHORT_SOUND;

export const audio: RequestListener = (_, response) =>
  response.writeHead(200, { "content-type": "audio/wav", "content-length": SOUND.length }).end(SOUND);

/** Every address passes the rules, so that the connector stands alone. */
export const noRules: HostRules = {
  check: (address) => new URL(address),
  isListed: () => false,
  refusalOf: () => null,
};
/** Every host is one that the operator has named. */
export const allNamed: HostRules = { ...noRules, isListed: () => true };

export function fetcherWith(options: FetcherOptions): Fetcher {
  const fetcher = createFetcher(options);
  onTestFinished(() => fetcher[Symbol.asyncDispose]());
  return fetcher;
}

/** What came of it: the SHA-256, or the failure with its retry policy. Nothing may be left of a failure. */
export async function outcomeOf(fetcher: Fetcher, url: string): Promise<string> {
  const directory = tempFile("incoming");
  const spool = await openSpool(directory);
  const job = { sessionId: "s", revision: 1, receivedAt: "", url, attempts: 1 };
  const { signal } = new AbortController();
  try {
    return (await spool.add(job, (file) => fetcher.fetch(url, file, signal))).sha256;
  } catch (error) {
    if ((await readdir(directory)).length > 0) throw new Error("something of it was left", { cause: error });
    const { message, retry } = error as { message: string; retry?: string };
    return `${message} (${retry ?? "unknown"})`;
  }
}
