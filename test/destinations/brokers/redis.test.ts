// The stream of a real Redis: what is in it, and to which servers the gateway connects.
import { describe, expect, it } from "vitest";
import { brokerAddressOf } from "../../../src/destinations/brokers/brokerAddress.ts";
import { createRedisBroker } from "../../../src/destinations/brokers/redisBroker.ts";
import { createHostRules } from "../../../src/upstream/outside/hostRules.ts";
import { PATIENT, publishingWith, redisAt, TAKEN } from "./publishing.ts";
import { hasRedis, startRedis, STREAM } from "./redisServer.ts";

const free = createHostRules(null, [], "DESTINATION_HOSTS");
const listed = createHostRules([{ host: "redis.example", port: 6379 }], [], "DESTINATION_HOSTS");

describe.skipIf(!hasRedis)("A stream of Redis", () => {
  it("has an entry for each event, in order, with its id, its revision and the message", async () => {
    const redis = await startRedis();
    const { publish } = redisAt(`redis://${redis.host}`);
    expect(await publish("a")).toEqual(TAKEN);
    expect(await publish("b")).toEqual(TAKEN);
    expect(await redis.entries()).toEqual([
      { id: "a", revision: "1", type: "call.ended", body: '{"id":"a"}' },
      { id: "b", revision: "1", type: "call.ended", body: '{"id":"b"}' },
    ]);
  });

  it("gets all messages by one connection, also those that come while it is being opened", async () => {
    const redis = await startRedis();
    const { publish } = redisAt(`redis://${redis.host}`);
    await redis.ask("CONFIG", "RESETSTAT");
    const ids = Array.from({ length: 32 }, (_, at) => `s${at}`);
    const made = await Promise.all(ids.map((id) => publish(id)));
    expect(new Set(made.map(({ outcome }) => outcome))).toEqual(new Set(["taken"]));
    expect((await redis.entries()).map(({ id }) => id)).toEqual(ids);
    const info = String(await redis.ask("INFO", "stats"));
    // Its own, that of entries() and that of INFO.
    expect(info).toMatch(/total_connections_received:3\r/);
  });

  // Streams that nobody trims: https://github.com/redis/redis/issues/6941
  it("grows without maxLength, and keeps about so many with it, the newest ones", async () => {
    const redis = await startRedis("--stream-node-max-entries", "10");
    const all = redisAt(`redis://${redis.host}`);
    for (let at = 0; at < 60; at += 1) await all.publish(`s${at}`);
    expect(await redis.entries()).toHaveLength(60);
    const few = redisAt(`redis://${redis.host}`, { maxLength: 20 });
    await few.publish("last");
    const kept = (await redis.entries()).map(({ id }) => id);
    expect(kept.length).toBeGreaterThanOrEqual(20);
    expect(kept.length).toBeLessThanOrEqual(30);
    expect(kept.at(-1)).toBe("last");
  });

  it("is in the database that the address names, and needs its user and password", async () => {
    const redis = await startRedis();
    await redis.ask("ACL", "SETUSER", "writer", "on", ">pass word%", "~calls", "+xadd", "+select");
    const { publish } = redisAt(`redis://${redis.host}/3`, { user: "writer", password: "pass word%" });
    expect(await publish("a")).toEqual(TAKEN);
    expect(await redis.entries()).toEqual([]);
    await redis.ask("SWAPDB", "0", "3");
    expect(await redis.entries()).toHaveLength(1);
  });

  it("is not written to where the name of its server has a private address and is not listed", async () => {
    const redis = await startRedis();
    const address = { kind: "redis", host: "localhost", port: redis.port, isEncrypted: false, database: 0 } as const;
    const { publish } = publishingWith(
      createRedisBroker(address, { stream: STREAM }, { rules: free, limits: PATIENT }),
    );
    expect(await publish("a")).toMatchObject({ text: "The link is refused: its address is not public." });
    const literal = { ...address, host: "127.0.0.1" };
    const other = publishingWith(createRedisBroker(literal, { stream: STREAM }, { rules: free, limits: PATIENT }));
    expect(await other.publish("a")).toMatchObject({ text: "The link is refused: its address is not public." });
    const info = String(await redis.ask("INFO", "commandstats"));
    expect(info).not.toContain("xadd");
  });
});

describe("The address of a broker", () => {
  it.each([
    ["rediss://redis.example", { host: "redis.example", port: 6379, isEncrypted: true, database: 0 }],
    ["rediss://Redis.Example:6380/2", { host: "redis.example", port: 6380, isEncrypted: true, database: 2 }],
    ["rediss://redis.example:443/", { host: "redis.example", port: 443, isEncrypted: true, database: 0 }],
  ])("%s is read", (url, address) => {
    expect(brokerAddressOf(url, free)).toEqual({ kind: "redis", ...address });
  });

  it.each([
    ["redis://redis.example", "The link is refused: it is not encrypted."],
    ["rediss://127.0.0.1:6379", "The link is refused: its address is not public."],
    ["rediss://0x7f.1:6379", "The link is refused: its address is not public."],
    ["rediss://[::ffff:127.0.0.1]:6379", "The link is refused: its address is not public."],
    ["rediss://redis.example.:6379", "The link is refused: its host name ends with a dot."],
    ["rediss://user:canary@redis.example", "must have no user or password: they are members of their own"],
  ])("%s is refused without DESTINATION_HOSTS", (url, fault) => {
    expect(brokerAddressOf(url, free)).toBe(fault);
  });

  it.each(["https://redis.example", "rediss://", "rediss:redis.example", "rediss://redis.example/calls", "a b"])(
    "%s is none",
    (url) => {
      expect(brokerAddressOf(url, free)).toMatch(/^must be redis:\/\//);
    },
  );

  it("is one of DESTINATION_HOSTS with its port, if they are set", () => {
    expect(brokerAddressOf("redis://redis.example", listed)).toMatchObject({ isEncrypted: false });
    for (const url of ["rediss://redis.example:6380", "rediss://other.example:6379"])
      expect(brokerAddressOf(url, listed)).toBe("The link is refused: its host and port are not in DESTINATION_HOSTS.");
  });
});
