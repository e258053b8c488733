// A stream of Redis that others change, and states of a Redis in which nobody can write.
import { describe, expect, it } from "vitest";
import { freePorts } from "../../support/network/freePort.ts";
import { until } from "../../support/until.ts";
import { REFUSED, writeCertificate } from "../certificates.ts";
import { temporaryDirectory } from "../../support/gateway.ts";
import { failedWith, redisAt, rulesFor, TAKEN } from "./publishing.ts";
import { hasRedis, startRedis, STREAM, type RedisServer } from "./redisServer.ts";

const idsIn = async (redis: RedisServer) => (await redis.entries()).map(({ id }) => id);
const at = (redis: RedisServer) => redisAt(`redis://${redis.host}`);

describe.skipIf(!hasRedis)("A stream of Redis", () => {
  // Readers of it failed until they were restarted, while writers went on: https://github.com/comet-ml/opik/pull/5525
  it("gets the next entries though somebody trims it, destroys its groups, deletes it or flushes the database", async () => {
    const redis = await startRedis();
    const { publish } = at(redis);
    await publish("a");
    await redis.ask("XGROUP", "CREATE", STREAM, "readers", "0");
    await redis.ask("XTRIM", STREAM, "MAXLEN", "0");
    expect(await publish("b")).toEqual(TAKEN);
    await redis.ask("XGROUP", "DESTROY", STREAM, "readers");
    expect(await publish("c")).toEqual(TAKEN);
    expect(await idsIn(redis)).toEqual(["b", "c"]);
    await redis.ask("DEL", STREAM);
    expect(await publish("d")).toEqual(TAKEN);
    await redis.ask("FLUSHALL");
    expect(await publish("e")).toEqual(TAKEN);
    expect(await idsIn(redis)).toEqual(["e"]);
  });

  it("that was renamed gets a new one, and one under its name that is none is a failure", async () => {
    const redis = await startRedis();
    const { publish } = at(redis);
    await publish("a");
    await redis.ask("RENAME", STREAM, "old");
    expect(await publish("b")).toEqual(TAKEN);
    expect(await idsIn(redis)).toEqual(["b"]);
    await redis.ask("DEL", STREAM);
    await redis.ask("LPUSH", STREAM, "x");
    const text = "Not taken: the key of the stream holds something else (WRONGTYPE).";
    expect(await publish("c")).toEqual(failedWith(text));
  });

  // IDs never go back, also where the clock does: https://github.com/redis/redis/issues/15836, https://github.com/redis/redis/pull/6706
  it("of which the last ID is in the future goes on behind it, and one that has no ID left says so", async () => {
    const redis = await startRedis();
    const { publish } = at(redis);
    await publish("a");
    await redis.ask("XSETID", STREAM, "99999999999999-0");
    expect(await publish("b")).toEqual(TAKEN);
    await redis.ask("XSETID", STREAM, "18446744073709551615-18446744073709551615");
    expect(await publish("c")).toEqual(failedWith("Not taken: the stream has no ID left: rename its key (ERR)."));
    expect(await idsIn(redis)).toEqual(["a", "b"]);
  });

  it("says that Redis cannot save, has too few replicas, runs a script, or is a cluster that is down", async () => {
    const redis = await startRedis();
    const { publish } = at(redis);
    await redis.ask("CONFIG", "SET", "min-replicas-to-write", "1");
    expect(await publish("a")).toEqual(failedWith("Not taken: Redis has too few replicas (NOREPLICAS)."));
    await redis.ask("CONFIG", "SET", "min-replicas-to-write", "0");
    await redis.ask("CONFIG", "SET", "busy-reply-threshold", "1");
    const script = redis.ask("EVAL", "while true do end", "0").catch(() => undefined);
    await until(async () => {
      const made = await publish("b");
      return made.outcome === "failed" && made.text === "Not taken: a script holds up Redis (BUSY).";
    });
    await redis.ask("SCRIPT", "KILL");
    await script;
    await until(async () => (await publish("b")).outcome === "taken");
    const [port = 0] = await freePorts(1);
    const cluster = await startRedis("--cluster-enabled", "yes", "--cluster-port", String(port));
    const down = "Not taken: the cluster of Redis does not serve this stream now (CLUSTERDOWN).";
    expect(await at(cluster).publish("a")).toEqual(failedWith(down));
  });

  it.each(REFUSED)("behind a certificate that %s gets nothing, and the answer says so", async (_, wrong, ca, why) => {
    await using directory = await temporaryDirectory();
    const { certFile, keyFile } = await writeCertificate(directory.path, wrong);
    const [port = 0] = await freePorts(1);
    const tls = ["--tls-port", String(port), "--tls-cert-file", certFile, "--tls-key-file", keyFile];
    const redis = await startRedis(...tls, "--tls-auth-clients", "no");
    const own = { rules: rulesFor(port), ...(ca === undefined ? {} : { ca }) };
    expect(await redisAt(`rediss://localhost:${port}`, {}, own).publish("a")).toEqual(failedWith(why));
    expect(await idsIn(redis)).toEqual([]);
  });
});
