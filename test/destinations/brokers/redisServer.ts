// A real Redis on a free port of this machine, where one is installed, with nothing but its own folder.
import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { createClient } from "@redis/client";
import { onTestFinished } from "vitest";
import { temporaryDirectory } from "../../support/gateway.ts";
import { freePort } from "../../support/network/freePort.ts";
import { until } from "../../support/until.ts";

export const hasRedis = spawnSync("redis-server", ["--version"]).status === 0;
export const STREAM = "calls";

export interface Entry {
  id: string;
  revision: string;
  type: string;
  body: string;
}

export interface RedisServer {
  port: number;
  host: string;
  /** Sends a command as the default user. */
  ask(...command: string[]): Promise<unknown>;
  /** The entries of the stream `calls`, in order. */
  entries(): Promise<Entry[]>;
  kill(): Promise<void>;
  /** At the same port and folder. */
  start(...more: string[]): Promise<void>;
}

/** It goes with the test. */
export async function startRedis(...args: string[]): Promise<RedisServer> {
  const server = await openRedis(...args);
  onTestFinished(() => server[Symbol.asyncDispose]());
  return server;
}

/** `args`: of redis-server. It keeps its data on disk only if they say so. */
export async function openRedis(...args: string[]): Promise<RedisServer & AsyncDisposable> {
  const directory = await temporaryDirectory();
  const port = await freePort();
  let stop = async () => undefined as void;
  async function start(...more: string[]): Promise<void> {
    const own = ["--bind", "127.0.0.1", "--dir", directory.path, "--save", "", "--appendfsync", "always"];
    const server = spawn("redis-server", ["--port", String(port), ...own, ...args, ...more], { stdio: "ignore" });
    const exited = once(server, "exit");
    stop = async () => {
      server.kill("SIGKILL");
      await exited;
    };
    // Any answer, such as that it is loading its data.
    await until(() => ask("PING").then(Boolean, (error: Error) => /^[A-Z]+ /.test(error.message)));
  }
  async function ask(...command: string[]): Promise<unknown> {
    const client = createClient({ RESP: 2, socket: { host: "127.0.0.1", port, reconnectStrategy: false } });
    client.on("error", () => undefined);
    try {
      await client.connect();
      return await client.sendCommand(command);
    } finally {
      client.destroy();
    }
  }
  await start();
  return {
    port,
    host: `127.0.0.1:${port}`,
    ask,
    async entries() {
      const found = (await ask("XRANGE", STREAM, "-", "+")) as [string, string[]][];
      return found.map(([, fields]) => entryOf(fields));
    },
    kill: () => stop(),
    start,
    async [Symbol.asyncDispose]() {
      await stop();
      await directory[Symbol.asyncDispose]();
    },
  };
}

function entryOf(fields: string[]): Entry {
  const pairs = fields.flatMap((name, at) => (at % 2 === 0 ? [[name, fields[at + 1]]] : []));
  return Object.fromEntries(pairs) as Entry;
}
