// How a connection to Redis begins and ends: what a server that is none answers, what is refused before the first entry, and a connection
// that nobody needs any more while it is being opened.
import { once } from "node:events";
import { connect, createServer, type Socket } from "node:net";
import { describe, expect, it, onTestFinished } from "vitest";
import { createRedisBroker } from "../../../src/destinations/brokers/redisBroker.ts";
import type { BrokerOptions } from "../../../src/destinations/brokers/broker.ts";
import { createHostRules } from "../../../src/upstream/outside/hostRules.ts";
import { startFakeService } from "../../support/fakeService.ts";
import { until } from "../../support/until.ts";
import { PATIENT, publishingWith, redisAt } from "./publishing.ts";
import { hasRedis, startRedis, STREAM } from "./redisServer.ts";

const PASSWORD = "canary-password";

/** A server of TCP that answers each chunk of bytes as the test says. */
async function startFake(answer: (text: string, socket: Socket) => void) {
  const seen = { connections: 0, closed: 0, text: "" };
  const server = createServer((socket) => {
    seen.connections += 1;
    socket.on("error", () => undefined);
    socket.on("close", () => (seen.closed += 1));
    socket.on("data", (bytes) => {
      seen.text += bytes.toString("latin1");
      answer(bytes.toString("latin1"), socket);
    });
  });
  const service = await startFakeService(server);
  onTestFinished(() => service[Symbol.asyncDispose]());
  return { ...service, seen };
}
const pongOr = (reply: string) => (text: string, socket: Socket) =>
  void socket.write(text.includes("PING") ? "+PONG\r\n" : reply);

/** At a name that the test resolves. */
function named(port: number, isEncrypted: boolean, options: Partial<BrokerOptions>) {
  const address = { kind: "redis", host: "redis.example", port, isEncrypted, database: 0 } as const;
  const rules = createHostRules(null, [], "DESTINATION_HOSTS");
  const all = { rules, limits: PATIENT, isAllowed: () => true, ...options };
  return publishingWith(createRedisBroker(address, { stream: STREAM, user: "a", password: PASSWORD }, all));
}
const local = [{ address: "127.0.0.1", family: 4 }];

describe("An event for a Redis", () => {
  it.each([
    ["an answer that is no ID of an entry", "+OK\r\n"],
    ["no value", "$-1\r\n"],
    ["a number", ":1\r\n"],
    ["an empty list", "*0\r\n"],
  ])("is not taken with %s, and the next attempt has a new connection", async (_, reply) => {
    const fake = await startFake(pongOr(reply));
    const { publish } = redisAt(`redis://127.0.0.1:${fake.port}`);
    const text = "Not taken: the answer is not the ID of an entry.";
    expect(await publish("a")).toMatchObject({ outcome: "failed", text });
    expect(await publish("a")).toMatchObject({ outcome: "failed", text });
    expect(fake.seen.connections).toBe(2);
  });

  it("is not taken with bytes that are none of the protocol, whatever follows", async () => {
    const fake = await startFake(pongOr("@garbage\r\n+1-1\r\n"));
    const { publish } = redisAt(`redis://127.0.0.1:${fake.port}`);
    expect(await publish("a")).toMatchObject({ outcome: "failed" });
    expect(await publish("a")).toMatchObject({ outcome: "failed" });
    expect(fake.seen.connections).toBe(2);
  });

  it("sends no password by a connection that was given up while its name was being resolved", async () => {
    const fake = await startFake(pongOr("+1-1\r\n"));
    let answer = () => undefined as void;
    const resolve: BrokerOptions["resolve"] = (_, done) => void (answer = () => done(null, local));
    const { publish } = named(fake.port, false, { resolve });
    const stop = new AbortController();
    const waiting = publish("a", stop.signal);
    const isAsked = answer;
    await until(() => answer !== isAsked);
    stop.abort(new Error("paused"));
    await expect(waiting).rejects.toThrow("paused");
    answer();
    // One that comes after it is seen after it.
    const own = connect(fake.port, "127.0.0.1");
    await once(own, "connect");
    own.write("own");
    await until(() => fake.seen.text.includes("own"));
    own.destroy();
    expect(fake.seen).toMatchObject({ connections: 1, text: "own" });
  });

  it("leaves a connection at once that stalls while it is being encrypted", async () => {
    const fake = await startFake(() => undefined);
    const { publish, broker } = named(fake.port, true, { resolve: (_, done) => done(null, local) });
    const stop = new AbortController();
    const waiting = publish("a", stop.signal);
    await until(() => fake.seen.text.length > 0);
    stop.abort(new Error("paused"));
    await expect(waiting).rejects.toThrow("paused");
    await until(() => fake.seen.closed === 1);
    const again = publish("b");
    await until(() => fake.seen.connections === 2);
    await broker[Symbol.asyncDispose]();
    expect(await again).toMatchObject({ outcome: "failed" });
    await until(() => fake.seen.closed === 2);
    expect(fake.seen.text).not.toContain(PASSWORD);
  });
});

describe.skipIf(!hasRedis)("A connection that Redis refuses", () => {
  it("says that there is no such database, or none that the user may choose", async () => {
    const redis = await startRedis();
    await redis.ask("ACL", "SETUSER", "writer", "on", ">secret", "~calls", "+xadd");
    const at = (own: object) => redisAt(`redis://${redis.host}/99`, own).publish("a");
    expect(await at({})).toMatchObject({ text: "Not taken: Redis has no database of this number (ERR)." });
    const text = "Not taken: the user may not choose a database (NOPERM).";
    expect(await at({ user: "writer", password: "secret" })).toMatchObject({ text });
  });

  it("says that Redis has no password", async () => {
    const redis = await startRedis();
    const { publish } = redisAt(`redis://${redis.host}`, { password: PASSWORD });
    const text = "Not taken: Redis has no password: leave out the member password (ERR).";
    expect(await publish("a")).toMatchObject({ text });
  });

  it("says that Redis has too many clients", async () => {
    const redis = await startRedis();
    const holding = connect(redis.port, "127.0.0.1");
    onTestFinished(() => void holding.destroy());
    holding.write("CONFIG SET maxclients 1\r\n");
    await once(holding, "data");
    const { publish } = redisAt(`redis://${redis.host}`);
    expect(await publish("a")).toMatchObject({ text: "Not taken: Redis has reached its maxclients (ERR)." });
  });
});
