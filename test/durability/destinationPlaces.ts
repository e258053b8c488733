// Destinations that are no receivers of HTTP: a folder, a bucket that fails at random, and the brokers that are installed.
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { gunzipSync } from "node:zlib";
import { hasNats, openNats } from "../destinations/brokers/natsServer.ts";
import { hasRedis, openRedis, STREAM } from "../destinations/brokers/redisServer.ts";
import { startBucket } from "../recordings/bucket.ts";
import { temporaryDirectory } from "../support/gateway.ts";
import type { Arrival } from "./destinationReceivers.ts";

export interface Places extends AsyncDisposable {
  definitions: object[];
  hosts: string[];
  /** What is in each, in the order of the files and streams. */
  arrivals(): Promise<ReadonlyMap<string, readonly Arrival[]>>;
  /** Kills the brokers, and starts them again. */
  kill(): Promise<void>;
}

interface Message {
  id: string;
  data: { sessionId: string };
}

const FAILING_SHARE = 0.1;
const common = { scopes: ["calls:read"], from: "oldest" };

export async function startPlaces(): Promise<Places> {
  await using parts = new AsyncDisposableStack();
  const directory = parts.use(await temporaryDirectory());
  const folder = join(directory.path, "calls");
  const bucket = parts.use(await startBucket());
  bucket.intercept(() => {
    if (Math.random() >= FAILING_SHARE) return null;
    // An error, an answer that is lost after the object was put, and one that says 200 and then what went wrong.
    const failures = [
      { status: 503 },
      { status: null, isDone: true },
      { status: 200, body: "<Error><Code>SlowDown</Code></Error>" },
    ];
    return failures[Math.floor(Math.random() * failures.length)] ?? null;
  });
  const redis = hasRedis ? parts.use(await openRedis("--appendonly", "yes")) : null;
  const nats = hasNats ? parts.use(await openNats()) : null;
  await nats?.createStream();
  const definitions: object[] = [
    { ...common, name: "folder", kind: "folder", url: pathToFileURL(folder).href },
    { ...common, name: "bucket", kind: "bucket", ...bucket.config },
  ];
  const hosts = [new URL(bucket.config.url).host];
  if (redis) {
    definitions.push({ ...common, name: "redis", kind: "broker", url: `redis://${redis.host}`, stream: STREAM });
    hosts.push(redis.host);
  }
  if (nats) {
    definitions.push({ ...common, name: "nats", kind: "broker", url: nats.url, subject: "calls.ended" });
    hosts.push(`127.0.0.1:${nats.port}`);
  }
  const running = parts.move();
  return {
    definitions,
    hosts,
    async arrivals() {
      const names = existsSync(folder) ? readdirSync(folder).filter((name) => name.endsWith(".gz")) : [];
      const objects = [...bucket.objects].filter(([name]) => name.endsWith(".gz"));
      const found = new Map([
        ["folder", names.sort().flatMap((name) => linesOf(readFileSync(join(folder, name))))],
        ["bucket", objects.sort(([one], [other]) => (one < other ? -1 : 1)).flatMap(([, { body }]) => linesOf(body))],
      ]);
      if (redis)
        found.set(
          "redis",
          (await redis.entries()).map(({ body }) => arrivalOf(body)),
        );
      if (nats)
        found.set(
          "nats",
          (await nats.messages()).map(({ body }) => arrivalOf(body)),
        );
      return found;
    },
    async kill() {
      for (const broker of [redis, nats]) {
        await broker?.kill();
        await broker?.start();
      }
    },
    [Symbol.asyncDispose]: () => running.disposeAsync(),
  };
}

function arrivalOf(text: string): Arrival {
  const { id, data } = JSON.parse(text) as Message;
  return { id, sessionId: data.sessionId, isTaken: true };
}
const linesOf = (file: Buffer) => gunzipSync(file).toString().trimEnd().split("\n").map(arrivalOf);
