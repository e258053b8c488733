import { mkdirSync, renameSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { startGateway, temporaryDirectory } from "../support/gateway.ts";
import { callEndedEvent } from "../support/events.ts";
import { until } from "../support/until.ts";
import { serve, emptyPage } from "../upstream/service.ts";

const CREATE = `mutation { createTask(input: {
  idempotencyKey: "rotated" name: "a" assistantId: "11"
  option: { lineIds: ["60"] periods: [["09:00", "18:00"]] startDate: "2099-01-15" retryCount: 0 retryIntervalSeconds: 600
    numberFileMeta: { number: 0, name: 1, gender: 2, salesPersonName: 3 } }
  numbers: [{ number: "+12025550101", extra: { name: "Li" } }]
}) { submission { status } errors { code } } }`;

/** A service that accepts one token, which a test changes. */
async function startService(first: string) {
  const known = { token: first };
  const service = await serve((response, { headers }) => {
    const isRight = headers.authorization === `Bearer ${known.token}`;
    response.writeHead(isRight ? 200 : 401, { "content-type": "application/json" });
    response.end(JSON.stringify(isRight ? emptyPage : {}));
  });
  return Object.assign(service, { known });
}

/** Writes files as Kubernetes mounts a secret: links through a folder that is replaced at once. */
function mountSecrets(folder: string, version: string, secrets: Record<string, string>): void {
  const versioned = join(folder, `..${version}`);
  mkdirSync(versioned);
  for (const [name, secret] of Object.entries(secrets)) writeFileSync(join(versioned, name), `${secret}\n`);
  symlinkSync(versioned, join(folder, "..data_tmp"));
  renameSync(join(folder, "..data_tmp"), join(folder, "..data"));
  if (version === "1") for (const name of Object.keys(secrets)) symlinkSync(`..data/${name}`, join(folder, name));
}

const LIST = "{ callLogs(first: 1) { nodes { sessionId } } }";

async function startWithFiles() {
  await using parts = new AsyncDisposableStack();
  const directory = parts.use(await temporaryDirectory());
  const service = parts.use(await startService("canary-token-1"));
  mountSecrets(directory.path, "1", { token: "canary-token-1", authorization: "canary-value-1" });
  const gateway = parts.use(
    await startGateway(service, {
      UPSTREAM_TOKEN: "",
      UPSTREAM_TOKEN_FILE: join(directory.path, "token"),
      WEBHOOK_AUTHORIZATION: "",
      WEBHOOK_AUTHORIZATION_FILE: join(directory.path, "authorization"),
      LOG_LEVEL: "debug",
    }),
  );
  const mount = (version: string) =>
    mountSecrets(directory.path, version, {
      token: `canary-token-${version}`,
      authorization: `canary-value-${version}`,
    });
  const deliver = async (authorization: string) => (await gateway.deliver(callEndedEvent(), { authorization })).status;
  const running = parts.move();
  return { service, gateway, mount, deliver, directory, [Symbol.asyncDispose]: () => running.disposeAsync() };
}

describe("Secrets in files", () => {
  it("are used as they stand there, without the line break", async () => {
    await using world = await startWithFiles();
    expect(await world.gateway.ask(LIST)).toMatchObject({ data: { callLogs: { nodes: [] } } });
    expect([await world.deliver("canary-value-1"), await world.deliver("canary-value-2")]).toEqual([200, 401]);
  });

  it("apply without a restart when a mounted secret is replaced, and never stand in the log", async () => {
    await using world = await startWithFiles();
    const { service, gateway, mount, deliver } = world;
    // Before the gateway looks at its files again, a refused GET is sent once more with the new token.
    service.known.token = "canary-token-2";
    mount("2");
    expect(await gateway.ask(LIST)).toMatchObject({ data: { callLogs: { nodes: [] } } });
    await until(async () => (await deliver("canary-value-2")) === 200);
    expect(await deliver("canary-value-1")).toBe(401);
    expect(gateway.output.some((line) => line.includes("UPSTREAM_TOKEN_FILE was read again"))).toBe(true);
    expect(gateway.output.join("\n")).not.toContain("canary");
  });

  it("are read again once for a GET that the service refuses, and the refusal stands if they are the same", async () => {
    await using world = await startWithFiles();
    world.service.known.token = "another";
    const { errors } = await world.gateway.ask(LIST);
    expect(errors?.[0]?.extensions["code"]).toBe("UPSTREAM_REJECTED");
    expect(world.service.asked).toHaveLength(1);
  });

  it("do not make a task that the service refuses be sent a second time by itself", async () => {
    await using world = await startWithFiles();
    world.service.known.token = "another";
    world.mount("2");
    await world.gateway.ask(CREATE);
    expect(world.service.asked.map(({ method }) => method).filter((method) => method === "POST")).toEqual(["POST"]);
  });

  it("stay in use where the file cannot be used any more", async () => {
    await using world = await startWithFiles();
    writeFileSync(join(world.directory.path, "authorization"), "canary\nvalue");
    await until(() => world.gateway.output.some((line) => line.includes("its previous content stays in use")));
    expect(await world.deliver("canary-value-1")).toBe(200);
    expect(world.gateway.output.join("\n")).not.toContain("canary");
  });
});
