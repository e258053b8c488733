// What a real Redis answers when it takes nothing, and what happens to connections: each is a failure after which the event is sent again.
import { describe, expect, it } from "vitest";
import { freePorts } from "../../support/network/freePort.ts";
import { cuttingProxy } from "../../support/network/cuttingProxy.ts";
import { until } from "../../support/until.ts";
import { temporaryDirectory } from "../../support/gateway.ts";
import { cert, key } from "../../upstream/localhostCertificate.ts";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { failedWith, LOST, PATIENT, redisAt, rulesFor, TAKEN } from "./publishing.ts";
import { hasRedis, startRedis, STREAM, type RedisServer } from "./redisServer.ts";

const idsIn = async (redis: RedisServer) => (await redis.entries()).map(({ id }) => id);

describe.skipIf(!hasRedis)("An event is sent again to a Redis", () => {
  it("that has no memory left, and is taken when it has", async () => {
    const redis = await startRedis("--maxmemory", "1", "--maxmemory-policy", "noeviction");
    const { publish } = redisAt(`redis://${redis.host}`);
    expect(await publish("a")).toEqual(failedWith("Not taken: Redis has reached its maxmemory (OOM)."));
    await redis.ask("CONFIG", "SET", "maxmemory", "0");
    expect(await publish("a")).toEqual(TAKEN);
  });

  // Clients that go on with the former main server after a failover: https://github.com/redis/ioredis/issues/144
  it("that has become a replica, and by a new connection, which may find the new main server", async () => {
    const redis = await startRedis();
    const other = await startRedis();
    const proxy = await cuttingProxy(`http://${redis.host}`);
    await using _ = proxy;
    const url = proxy.url.replace("http:", "redis:");
    const { publish } = redisAt(url);
    expect(await publish("a")).toEqual(TAKEN);
    await redis.ask("REPLICAOF", "127.0.0.1", "9");
    proxy.target = `http://${other.host}`;
    expect(await publish("b")).toEqual(
      failedWith("Not taken: this Redis is a replica and takes no entries (READONLY)."),
    );
    expect(await publish("b")).toEqual(TAKEN);
    expect(await idsIn(other)).toEqual(["b"]);
  });

  it("that is loading its data, and is taken when it has", async () => {
    const redis = await startRedis("--dbfilename", "data.rdb", "--rdbcompression", "no");
    await redis.ask("MSET", ...Array.from({ length: 200 }, (_, at) => [`key ${at}`, "x".repeat(2000)]).flat());
    await redis.ask("SAVE");
    await redis.kill();
    await redis.start("--key-load-delay", "300000", "--loading-process-events-interval-bytes", "1024");
    const { publish } = redisAt(`redis://${redis.host}`);
    expect(await publish("a")).toEqual(failedWith("Not taken: Redis is loading its data (LOADING)."));
    await redis.ask("CONFIG", "SET", "key-load-delay", "0");
    await until(async () => (await publish("a")).outcome === "taken");
    expect(await idsIn(redis)).toEqual(["a"]);
  });

  it("that refuses its user or password, which no answer shows", async () => {
    const redis = await startRedis("--requirepass", "canary");
    const at = (own: object) => redisAt(`redis://${redis.host}`, own).publish("a");
    expect(await at({})).toEqual(failedWith("Not taken: Redis needs a user or a password (NOAUTH)."));
    const unknown = failedWith("Not taken: Redis does not know this user with this password (WRONGPASS).");
    expect(await at({ password: "wrong canary" })).toEqual(unknown);
    expect(await at({ user: "canary", password: "canary" })).toEqual(unknown);
    expect(await at({ password: "canary" })).toEqual(TAKEN);
  });

  it("where the user may not write to the stream, or the key is none", async () => {
    const redis = await startRedis();
    await redis.ask("ACL", "SETUSER", "reader", "on", ">secret", "~*", "+xrange");
    const reader = redisAt(`redis://${redis.host}`, { user: "reader", password: "secret" });
    expect(await reader.publish("a")).toEqual(failedWith("Not taken: the user may not write to this stream (NOPERM)."));
    await redis.ask("SET", STREAM, "a text");
    const { publish } = redisAt(`redis://${redis.host}`);
    expect(await publish("a")).toEqual(
      failedWith("Not taken: the key of the stream holds something else (WRONGTYPE)."),
    );
  });

  it("that is a node of a cluster without the stream, and no other address is connected to", async () => {
    const [first = 0, second = 0] = await freePorts(2);
    const redis = await startRedis("--cluster-enabled", "yes", "--cluster-port", String(first));
    const other = await startRedis("--cluster-enabled", "yes", "--cluster-port", String(second));
    await other.ask("CLUSTER", "ADDSLOTSRANGE", "0", "16383");
    await redis.ask("CLUSTER", "MEET", "127.0.0.1", String(other.port), String(second));
    for (const each of [redis, other])
      await until(async () => String(await each.ask("CLUSTER", "INFO")).includes("cluster_state:ok"));
    const { publish } = redisAt(`redis://${redis.host}`);
    const text = "Not taken: this Redis is a node of a cluster, and the stream is on another one (MOVED).";
    expect(await publish("a")).toEqual(failedWith(text));
    expect(await idsIn(other)).toEqual([]);
  });

  // Nobody can know whether such a command was carried out: https://github.com/redis/redis/issues/4396
  it("that took it and whose answer was lost, so that it is there twice with one id", async () => {
    const redis = await startRedis();
    await using proxy = await cuttingProxy(`http://${redis.host}`);
    // The answer to PING passes.
    proxy.cut = { after: "+PONG\r\n".length + 1, of: "response" };
    const { publish } = redisAt(proxy.url.replace("http:", "redis:"));
    expect(await publish("a")).toEqual(failedWith(LOST));
    await until(async () => (await redis.entries()).length === 1);
    proxy.cut = null;
    expect(await publish("a")).toEqual(TAKEN);
    expect(await idsIn(redis)).toEqual(["a", "a"]);
  });

  // Clients sent again by themselves or never answered what was under way: https://github.com/redis/ioredis/issues/2193,
  // and an error that nobody listened to ended the process: https://github.com/redis/ioredis/issues/80
  it("that is killed while many are under way, of which each fails or is taken, and none comes later by itself", async () => {
    const redis = await startRedis("--appendonly", "yes");
    const { publish } = redisAt(`redis://${redis.host}`);
    expect(await publish("first")).toEqual(TAKEN);
    await redis.ask("CLIENT", "PAUSE", "600000", "WRITE");
    const ids = Array.from({ length: 20 }, (_, at) => `s${at}`);
    const underWay = Promise.all(ids.map((id) => publish(id)));
    await until(async () => /name= .*cmd=xadd/.test(String(await redis.ask("CLIENT", "LIST"))));
    await redis.kill();
    expect(new Set((await underWay).map(({ outcome }) => outcome))).toEqual(new Set(["failed"]));
    expect(await publish("meanwhile")).toEqual(failedWith(LOST));
    await redis.start();
    await until(async () => (await publish("later")).outcome === "taken");
    expect(await idsIn(redis)).toEqual(["first", "later"]);
  });

  it("that has closed the connection meanwhile, without a failure", async () => {
    const redis = await startRedis();
    const { publish } = redisAt(`redis://${redis.host}`);
    expect(await publish("a")).toEqual(TAKEN);
    await redis.ask("CLIENT", "KILL", "TYPE", "normal", "SKIPME", "yes");
    await until(async () => (await publish("b")).outcome === "taken");
    expect((await idsIn(redis)).at(-1)).toBe("b");
  });

  // Commands hung on a connection that had gone without a notice: https://github.com/civitai/civitai/pull/2556
  it("whose connection has gone without a notice, after a bounded time and by a new connection", async () => {
    const redis = await startRedis();
    await using proxy = await cuttingProxy(`http://${redis.host}`);
    const { publish } = redisAt(proxy.url.replace("http:", "redis:"), {}, { limits: { ...PATIENT, answerMs: 3000 } });
    await until(async () => (await publish("a")).outcome === "taken");
    proxy.freezeAll();
    expect(await publish("b")).toEqual(failedWith("The broker did not confirm in time."));
    await until(async () => (await publish("c")).outcome === "taken");
  });

  it("that is away, at once, and stops at once while it waits", async () => {
    const [port = 0] = await freePorts(1);
    expect(await redisAt(`redis://127.0.0.1:${port}`).publish("a")).toEqual(failedWith(LOST));
    const redis = await startRedis();
    const { publish } = redisAt(`redis://${redis.host}`);
    await redis.ask("CLIENT", "PAUSE", "600000", "WRITE");
    const stop = new AbortController();
    const waiting = publish("a", stop.signal);
    await until(async () => /cmd=xadd/.test(String(await redis.ask("CLIENT", "LIST"))));
    stop.abort(new Error("stopped"));
    await expect(waiting).rejects.toThrow("stopped");
  });

  it("whose certificate is not trusted, and is taken where it is", async () => {
    await using directory = await temporaryDirectory();
    const [certFile, keyFile] = [join(directory.path, "cert.pem"), join(directory.path, "key.pem")];
    await writeFile(certFile, cert);
    await writeFile(keyFile, key);
    const [port = 0] = await freePorts(1);
    const tls = ["--tls-port", String(port), "--tls-cert-file", certFile, "--tls-key-file", keyFile];
    const redis = await startRedis(...tls, "--tls-auth-clients", "no");
    const url = `rediss://localhost:${port}`;
    const rules = rulesFor(port);
    expect(await redisAt(url, {}, { rules }).publish("a")).toEqual(failedWith(LOST));
    expect(await redisAt(`redis://localhost:${port}`, {}, { rules }).publish("a")).toEqual(failedWith(LOST));
    expect(await redisAt(`rediss://127.0.0.1:${port}`, {}, { rules, ca: cert }).publish("a")).toEqual(failedWith(LOST));
    expect(await redisAt(url, {}, { rules, ca: cert }).publish("a")).toEqual(TAKEN);
    expect(await idsIn(redis)).toEqual(["a"]);
  });
});
