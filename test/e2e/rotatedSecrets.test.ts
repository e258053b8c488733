// Secrets in files that change while the gateway runs: the password of the database, the keys of the bucket, the headers of the collector.
import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { soundOfCall } from "../support/sandboxSound.ts";
import { callEndedEvent } from "../support/events.ts";
import { NO_SERVICE, startGateway, temporaryDirectory } from "../support/gateway.ts";
import { until } from "../support/until.ts";
import { openBucket } from "../recordings/bucket.ts";
import { host } from "../recordings/hosts.ts";
import { allowing, settled } from "../recordings/world.ts";
import { postgres } from "../store/databases.ts";
import { startCollector } from "../tracing/collector.ts";

async function secretFile(first: string) {
  const directory = await temporaryDirectory();
  onTestFinished(() => rmSync(directory.path, { recursive: true, force: true }));
  const path = join(directory.path, "secret");
  const write = (text: string) => writeFileSync(path, `${text}\n`);
  write(first);
  return { path, write };
}

describe("A secret of a running gateway that changes in its file", () => {
  it("DATABASE_URL: new connections have the new user and password, and another database waits for a restart", async () => {
    const { url, ask } = await postgres.create();
    const role = `rotated_${crypto.randomUUID().replaceAll("-", "")}`;
    await ask(
      `create role ${role} superuser login password 'canary-one'; create role ${role}_2 superuser login password 'canary-two'`,
    );
    onTestFinished(async () => void (await ask(`drop role if exists ${role}, ${role}_2`)));
    const addressOf = (user: string, password: string, change: (address: URL) => void = () => undefined) => {
      const address = new URL(url);
      Object.assign(address, { username: user, password });
      change(address);
      return address.href;
    };
    const file = await secretFile(addressOf(role, "canary-one"));
    await using gateway = await startGateway(NO_SERVICE, { DATABASE_URL: "", DATABASE_URL_FILE: file.path });
    const deliver = async () => (await gateway.deliver(callEndedEvent())).status;
    expect(await deliver()).toBe(200);

    const readAgain = () => gateway.output.filter((line) => line.includes("DATABASE_URL_FILE was read again")).length;
    const cut = () => ask(`select pg_terminate_backend(pid) from pg_stat_activity where usename like '${role}%'`);
    const users = async () =>
      (await ask(`select distinct usename as it from pg_stat_activity where usename like '${role}%'`)).map(
        ({ it: name }) => name,
      );
    await ask(`alter role ${role} password 'canary-three'`);
    file.write(addressOf(role, "canary-three"));
    await until(() => readAgain() === 1);
    await cut();
    await until(async () => (await deliver()) === 200);

    file.write(addressOf(`${role}_2`, "canary-two"));
    await until(() => readAgain() === 2);
    await cut();
    await until(async () => (await deliver()) === 200);
    await until(async () => (await users()).join() === `${role}_2`);

    file.write(addressOf(role, "canary-three", (address) => (address.hostname = "127.0.0.2")));
    await until(() => gateway.output.some((line) => line.includes("names another database")));
    await cut();
    await until(async () => (await deliver()) === 200);
    expect(await users()).toEqual([`${role}_2`]);
    expect(gateway.output.join("\n")).not.toContain("canary");
  });

  it("PGPASSWORD: new connections have the new password, for an address without one", async () => {
    const { url, ask } = await postgres.create();
    const role = `rotated_${crypto.randomUUID().replaceAll("-", "")}`;
    await ask(`create role ${role} superuser login password 'canary@one'`);
    onTestFinished(async () => void (await ask(`drop role if exists ${role}`)));
    const file = await secretFile("canary@one");
    const DATABASE_URL = Object.assign(new URL(url), { username: role, password: "" }).href;
    await using gateway = await startGateway(NO_SERVICE, { DATABASE_URL, PGPASSWORD_FILE: file.path });
    const deliver = async () => (await gateway.deliver(callEndedEvent())).status;
    expect(await deliver()).toBe(200);

    await ask(`alter role ${role} password 'canary@two'`);
    file.write("canary@two");
    await until(() => gateway.output.some((line) => line.includes("PGPASSWORD_FILE was read again")));
    await ask(`select pg_terminate_backend(pid) from pg_stat_activity where usename = '${role}'`);
    await until(async () => (await deliver()) === 200);
    expect(gateway.output.join("\n")).not.toContain("canary");
  });

  it("RECORDINGS_S3_SECRET_ACCESS_KEY: the next request to the bucket has it", async () => {
    const bucket = await openBucket();
    const [id, key] = [await secretFile(bucket.keys.accessKeyId), await secretFile(bucket.keys.secretAccessKey)];
    const files = await host((request, response) => {
      response.writeHead(200, { "content-type": "audio/wav" }).end(soundOfCall(request.url ?? ""));
    });
    await using gateway = await startGateway(NO_SERVICE, {
      ...allowing(files),
      RECORDINGS_S3_URL: bucket.config.url,
      RECORDINGS_S3_REGION: bucket.config.region,
      RECORDINGS_S3_ACCESS_KEY_ID_FILE: id.path,
      RECORDINGS_S3_SECRET_ACCESS_KEY_FILE: key.path,
    });
    const archive = async (sessionId: string) => {
      await gateway.deliver(callEndedEvent({ session_id: sessionId, record_url: `${files.url}/${sessionId}` }));
      return settled(gateway, sessionId, "ARCHIVED");
    };
    const first = await archive("first");
    Object.assign(bucket.keys, { accessKeyId: "AKIDNEXT", secretAccessKey: "canary-next" });
    id.write("AKIDNEXT");
    key.write("canary-next");
    await until(() => gateway.output.filter((line) => line.includes("was read again")).length === 2);
    await archive("second");
    expect(bucket.objects.size).toBe(2);
    expect((await fetch(new URL(first.url ?? "", gateway.url))).status).toBe(200);
    expect(gateway.output.join("\n")).not.toContain("canary");
  });

  it("OTEL_EXPORTER_OTLP_HEADERS: the next spans are sent with them", async () => {
    await using collector = await startCollector();
    const file = await secretFile("authorization=canary-one");
    await using gateway = await startGateway(NO_SERVICE, {
      OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
      OTEL_EXPORTER_OTLP_HEADERS_FILE: file.path,
      OTEL_BSP_SCHEDULE_DELAY: "1",
    });
    const sent = (value: string) =>
      until(async () => {
        await gateway.ask("{ gateway { version } }");
        return collector.text().includes(value);
      });
    await sent("canary-one");
    file.write("authorization=canary-two");
    await sent("canary-two");
    expect(gateway.output.join("\n")).not.toContain("canary");
  });
});
