// The stream of a real NATS JetStream: what is in it, what it refuses, and what happens to connections.
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { createServer, type Socket } from "node:net";
import { describe, expect, it, onTestFinished } from "vitest";
import { createNatsBroker } from "../../../src/destinations/brokers/natsBroker.ts";
import { createHostRules } from "../../../src/upstream/outside/hostRules.ts";
import { startFakeService } from "../../support/fakeService.ts";
import { temporaryDirectory } from "../../support/gateway.ts";
import { freePorts } from "../../support/network/freePort.ts";
import { cuttingProxy } from "../../support/network/cuttingProxy.ts";
import { until } from "../../support/until.ts";
import { cert, key } from "../../upstream/localhostCertificate.ts";
import { hasNats, natsAt, startNats, SUBJECT, type NatsServer } from "./natsServer.ts";
import { failedWith, LOST, PATIENT, publishingWith, TAKEN } from "./publishing.ts";

const NO_STREAM = /^Not taken: no stream of JetStream has this subject\. Create one/;
const idsIn = async (nats: NatsServer) => (await nats.messages()).map(({ id }) => id);

describe.skipIf(!hasNats)("A stream of NATS", () => {
  it("has a message for each event, in order, with its id as that of the message", async () => {
    const nats = await startNats();
    await nats.createStream();
    const { publish } = natsAt(nats.url);
    expect(await publish("a")).toEqual(TAKEN);
    expect(await publish("b")).toEqual(TAKEN);
    expect(await nats.messages()).toEqual([
      { subject: SUBJECT, id: "a", body: '{"id":"a"}' },
      { subject: SUBJECT, id: "b", body: '{"id":"b"}' },
    ]);
  });

  // A window that is shorter than the time between two attempts: https://github.com/alexfrmn/murmur/issues/141
  it("stores a repeat once within its duplicate window, and again after it", async () => {
    const nats = await startNats();
    await nats.createStream({ duplicate_window: 100_000_000 });
    const { publish } = natsAt(nats.url);
    await publish("a");
    await until(async () => {
      expect(await publish("a")).toEqual(TAKEN);
      return (await nats.messages()).length > 1;
    });
    const long = await startNats();
    await long.createStream();
    const other = natsAt(long.url);
    for (const id of ["a", "a", "b", "a"]) expect(await other.publish(id)).toEqual(TAKEN);
    expect(await idsIn(long)).toEqual(["a", "b"]);
  });

  // It answers a repeat with the number 0, which also stands for a message that was not stored: https://github.com/nats-io/nats.java/issues/1002
  it("of interest, for which nobody waits, takes a repeat when its duplicate window is over", async () => {
    const nats = await startNats();
    await nats.createStream({ retention: "interest", duplicate_window: 100_000_000 });
    const { publish } = natsAt(nats.url);
    expect(await publish("a")).toEqual(TAKEN);
    await until(async () => (await publish("a")).outcome === "taken");
    expect(await nats.messages()).toEqual([]);
  });

  // It compares the ids of a stream, and not of each of its subjects.
  it("keeps an event that two destinations publish to it once for each", async () => {
    const nats = await startNats();
    await nats.createStream();
    const two = [natsAt(nats.url, { name: "full" }), natsAt(nats.url, { name: "masked", subject: "calls.masked" })];
    for (const { publish } of [...two, ...two]) expect(await publish("a")).toEqual(TAKEN);
    expect((await nats.messages()).map(({ subject }) => subject)).toEqual([SUBJECT, "calls.masked"]);
  });

  it("gets nothing where its subject has a field that the destination does not select", async () => {
    const nats = await startNats();
    await nats.createStream();
    const { publish } = natsAt(nats.url, { subject: "calls.{taskId}" });
    expect(await publish("a")).toEqual(
      failedWith("Not taken: the subject has {taskId}, which the message does not show."),
    );
    expect(await nats.messages()).toEqual([]);
  });

  // The error of a missing stream was hard to understand: https://github.com/nats-io/nats.py/issues/678
  it("that is missing is a failure that says what to do, and takes the event when it is there", async () => {
    const nats = await startNats();
    const { publish } = natsAt(nats.url);
    expect(await publish("a")).toEqual(failedWith(NO_STREAM));
    await nats.createStream();
    expect(await publish("a")).toEqual(TAKEN);
  });

  it("is not confirmed by somebody else who listens at the subject, with or without an answer", async () => {
    const nats = await startNats();
    const listener = await nats.connected();
    onTestFinished(() => listener.close());
    // A number of 0 is of a message that was not stored: https://github.com/nats-io/nats-server/issues/5818
    const answers = ["ok", '{"stream":"CALLS","seq":0,"duplicate":true}'];
    listener.subscribe(SUBJECT, { callback: (_, message) => void message.respond(answers.shift() ?? "") });
    await listener.flush();
    const { publish } = natsAt(nats.url);
    for (const id of ["a", "b"])
      expect(await publish(id)).toEqual(failedWith("Not taken: the answer is no confirmation of JetStream."));
    listener.subscribe("calls.silent", { callback: () => undefined });
    await listener.flush();
    const silent = natsAt(nats.url, { subject: "calls.silent" }, { limits: { ...PATIENT, answerMs: 1000 } });
    expect(await silent.publish("a")).toEqual(failedWith("The broker did not confirm in time."));
  });

  // It discards new messages: https://github.com/nats-io/nats-server/issues/4247
  it("that is full and discards new messages is a failure", async () => {
    const nats = await startNats();
    await nats.createStream({ max_msgs: 1, discard: "new" });
    const { publish } = natsAt(nats.url);
    expect(await publish("a")).toEqual(TAKEN);
    const full = "Not taken: the stream cannot store it, or is full and discards new messages (10077).";
    expect(await publish("b")).toEqual(failedWith(full));
    expect(await idsIn(nats)).toEqual(["a"]);
  });

  it("fails where the user is unknown or may not publish, and shows no password", async () => {
    const users = `{user: admin, password: admin}, {user: reader, password: reader, permissions: {publish: "other"}}`;
    const nats = await startNats(`authorization { users = [${users}, {user: writer, password: "pass word%",
      permissions: {publish: "calls.>", subscribe: "_INBOX.>"}}] }`);
    await nats.createStream();
    const at = (own: object) => natsAt(nats.url, own).publish("a");
    const unknown = failedWith("Not taken: NATS does not know this user with this password.");
    expect(await at({})).toEqual(unknown);
    expect(await at({ user: "writer", password: "canary" })).toEqual(unknown);
    expect(await at({ password: "canary" })).toEqual(unknown);
    expect(await at({ user: "reader", password: "reader" })).toEqual(
      failedWith(/^Not taken: the user may not publish/),
    );
    expect(await at({ user: "writer", password: "pass word%" })).toEqual(TAKEN);
  });

  it("took it and its answer was lost: it is there once after the repeat", async () => {
    const nats = await startNats();
    await nats.createStream();
    await using proxy = await cuttingProxy(nats.url.replace("nats:", "http:"));
    const { publish } = natsAt(proxy.url.replace("http:", "nats:"));
    expect(await publish("before")).toEqual(TAKEN);
    await publish("measured");
    const before = proxy.seen.response.length;
    proxy.cutAll();
    proxy.cut = { after: Math.floor(before / 2), of: "response" };
    await until(async () => {
      await publish("a");
      return proxy.cuts.atByte > 0;
    });
    proxy.cut = null;
    expect(await publish("a")).toEqual(TAKEN);
    expect(await idsIn(nats)).toEqual(["before", "measured", "a"]);
  });

  it("whose server is killed while many are under way gets each once when it is back, and none by itself", async () => {
    const nats = await startNats();
    await nats.createStream();
    await using proxy = await cuttingProxy(nats.url.replace("nats:", "http:"));
    const { publish } = natsAt(proxy.url.replace("http:", "nats:"));
    expect(await publish("first")).toEqual(TAKEN);
    proxy.freezeAll();
    const ids = Array.from({ length: 20 }, (_, at) => `s${at}`);
    const underWay = Promise.all(ids.map((id) => publish(id)));
    await nats.kill();
    proxy.cutAll();
    expect(await underWay).toEqual(ids.map(() => failedWith(LOST)));
    expect(await publish("meanwhile")).toEqual(failedWith(LOST));
    await nats.start();
    await until(async () => (await publish("later")).outcome === "taken");
    expect(await idsIn(nats)).toEqual(["first", "later"]);
  });

  // A time-out though the message is stored: https://github.com/nats-io/nats.node/issues/628
  it("fails after a bounded time on a connection that has gone, goes on by a new one, and stops at once", async () => {
    const nats = await startNats();
    await nats.createStream();
    await using proxy = await cuttingProxy(nats.url.replace("nats:", "http:"));
    const url = proxy.url.replace("http:", "nats:");
    const { publish } = natsAt(url, {}, { limits: { ...PATIENT, answerMs: 3000 } });
    await until(async () => (await publish("a")).outcome === "taken");
    proxy.freezeAll();
    expect(await publish("b")).toEqual(failedWith("The broker did not confirm in time."));
    await until(async () => (await publish("c")).outcome === "taken");
    const other = natsAt(url);
    expect(await other.publish("d")).toEqual(TAKEN);
    proxy.freezeAll();
    const stop = new AbortController();
    const waiting = other.publish("e", stop.signal);
    stop.abort(new Error("stopped"));
    await expect(waiting).rejects.toThrow("stopped");
  });

  it("is behind TLS that is verified, and a server without TLS gets no password", async () => {
    await using directory = await temporaryDirectory();
    const [certFile, keyFile] = [join(directory.path, "cert.pem"), join(directory.path, "key.pem")];
    await writeFile(certFile, cert);
    await writeFile(keyFile, key);
    const nats = await startNats(
      `tls { cert_file: ${JSON.stringify(certFile)}, key_file: ${JSON.stringify(keyFile)} }`,
    );
    const url = `tls://localhost:${nats.port}`;
    expect(await natsAt(url).publish("a")).toEqual(failedWith(LOST));
    expect(await natsAt(`tls://127.0.0.1:${nats.port}`, {}, { ca: cert }).publish("a")).toEqual(failedWith(LOST));
    expect(await natsAt(nats.url).publish("a")).toEqual(failedWith(LOST));
    expect(await natsAt(url, {}, { ca: cert }).publish("a")).toEqual(failedWith(NO_STREAM));
    const plain = await startNats();
    await using proxy = await cuttingProxy(plain.url.replace("nats:", "http:"));
    const stripped = natsAt(
      `tls://localhost:${URL.parse(proxy.url)?.port}`,
      { user: "a", password: "canary" },
      { ca: cert },
    );
    expect(await stripped.publish("a")).toEqual(failedWith(LOST));
    expect(proxy.seen.request.toString()).not.toContain("canary");
  });

  it("gets no password by a connection that was given up while the server was being asked", async () => {
    const sockets: Socket[] = [];
    let seen = "";
    const server = createServer((socket) => {
      sockets.push(socket);
      socket.on("error", () => undefined);
      socket.on("data", (bytes) => (seen += bytes.toString()));
    });
    const service = await startFakeService(server);
    onTestFinished(() => service[Symbol.asyncDispose]());
    const { publish } = natsAt(`nats://127.0.0.1:${service.port}`, { user: "a", password: "canary" });
    const stop = new AbortController();
    const waiting = publish("a", stop.signal);
    const socket = await until(() => sockets[0]);
    stop.abort(new Error("paused"));
    await expect(waiting).rejects.toThrow("paused");
    socket.write('INFO {"server_id":"x","version":"2.9.10","proto":1,"max_payload":1048576,"headers":true}\r\n');
    await until(() => socket.destroyed);
    expect(seen).not.toContain("canary");
  });

  it("is not written to where its server is away, or its name has a private address and is not listed", async () => {
    const [port = 0] = await freePorts(1);
    expect(await natsAt(`nats://127.0.0.1:${port}`).publish("a")).toEqual(failedWith(LOST));
    const rules = createHostRules(null, [], "DESTINATION_HOSTS");
    for (const host of ["localhost", "127.0.0.1"]) {
      const address = { kind: "nats", host, port, isEncrypted: true, database: 0 } as const;
      const { publish } = publishingWith(
        createNatsBroker(address, { name: "nats", subject: SUBJECT }, { rules, limits: PATIENT }),
      );
      expect(await publish("a")).toEqual(failedWith("The link is refused: its address is not public."));
    }
  });
});
