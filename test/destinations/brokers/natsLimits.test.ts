// A stream of NATS that reaches limits, that others change, and servers with a certificate that is wrong.
import { describe, expect, it } from "vitest";
import { temporaryDirectory } from "../../support/gateway.ts";
import { until } from "../../support/until.ts";
import { REFUSED, writeCertificate } from "../certificates.ts";
import { hasNats, natsAt, startNats, type NatsServer } from "./natsServer.ts";
import { failedWith, TAKEN } from "./publishing.ts";

const idsIn = async (nats: NatsServer) => (await nats.messages()).map(({ id }) => id);
const FULL = "Not taken: the stream cannot store it, or is full and discards new messages (10077).";

describe.skipIf(!hasNats)("A stream of NATS", () => {
  // Publishers did not hear of each limit: https://github.com/nats-io/nats-server/issues/4247
  it.each([
    ["messages", { max_msgs: 2 }],
    ["bytes", { max_bytes: 200 }],
    ["messages of a subject", { max_msgs_per_subject: 2, discard_new_per_subject: true }],
  ])("that discards what is new above its limit of %s takes events again when there is room", async (_, limits) => {
    const nats = await startNats();
    await nats.createStream({ discard: "new", ...limits });
    const { publish } = natsAt(nats.url);
    const taken: string[] = [];
    for (const id of ["a", "b", "c", "d", "e", "f"]) if ((await publish(id)).outcome === "taken") taken.push(id);
    expect(taken.length).toBeLessThan(6);
    expect(await publish("later")).toEqual(failedWith(FULL));
    expect(await idsIn(nats)).toEqual(taken);
    await nats.ask("STREAM.PURGE.CALLS");
    expect(await publish("later")).toEqual(TAKEN);
  });

  it("that keeps the newest alone takes each event, and removes what nobody has read", async () => {
    const nats = await startNats();
    await nats.createStream({ discard: "old", max_msgs: 2 });
    const { publish } = natsAt(nats.url);
    for (const id of ["a", "b", "c"]) expect(await publish(id)).toEqual(TAKEN);
    expect(await idsIn(nats)).toEqual(["b", "c"]);
  });

  // https://github.com/nats-io/nats-server/issues/5594
  it("whose account has used its storage says so", async () => {
    const nats = await startNats(`accounts { A { jetstream { max_file: 1024 }
      users = [{user: admin, password: admin}] } }`);
    await nats.createStream();
    const { publish } = natsAt(nats.url, { user: "admin", password: "admin" });
    const texts: (string | null)[] = [];
    for (let at = 0; at < 20; at += 1) {
      const made = await publish(`event ${at}`);
      if (made.outcome === "failed") texts.push(made.text);
    }
    expect(new Set(texts)).toEqual(new Set(["Not taken: the account has reached its limits for JetStream (10002)."]));
  });

  it("that is sealed, or takes no message that is so large, says so", async () => {
    const nats = await startNats();
    await nats.createStream({ max_msg_size: 90 });
    const { publish } = natsAt(nats.url);
    expect(await publish("a")).toEqual(TAKEN);
    expect(await publish("a".repeat(100))).toEqual(
      failedWith("Not taken: the message is larger than the stream allows (10054)."),
    );
    await nats.ask("STREAM.UPDATE.CALLS", { name: "CALLS", subjects: ["calls.>"], storage: "file", sealed: true });
    expect(await publish("b")).toEqual(
      failedWith("Not taken: the stream is sealed and takes no messages any more (10109)."),
    );
  });

  it("that is deleted and created anew takes the next events, and what is sent again as new", async () => {
    const nats = await startNats();
    await nats.createStream();
    const { publish } = natsAt(nats.url);
    expect(await publish("a")).toEqual(TAKEN);
    await nats.ask("STREAM.DELETE.CALLS");
    expect(await publish("b")).toEqual(failedWith(/^Not taken: no stream of JetStream has this subject/));
    await nats.createStream();
    for (const id of ["b", "a", "b"]) expect(await publish(id)).toEqual(TAKEN);
    expect(await idsIn(nats)).toEqual(["b", "a"]);
  });

  // The ids of what was purged are remembered: https://github.com/nats-io/jetstream/issues/340
  it("that is purged stores an event that is sent again when its duplicate window is over, and not before", async () => {
    const nats = await startNats();
    await nats.createStream({ duplicate_window: 60_000_000_000 });
    const { publish } = natsAt(nats.url);
    await publish("a");
    await nats.ask("STREAM.PURGE.CALLS");
    expect(await publish("a")).toEqual(TAKEN);
    expect(await idsIn(nats)).toEqual([]);
    await nats.ask("STREAM.UPDATE.CALLS", {
      name: "CALLS",
      subjects: ["calls.>"],
      storage: "file",
      duplicate_window: 100_000_000,
    });
    await until(async () => {
      await publish("a");
      return (await idsIn(nats)).length > 0;
    });
  });

  it("of a server without JetStream is missing", async () => {
    const nats = await startNats(`accounts { A { users = [{user: plain, password: plain}] }
      B { jetstream: enabled, users = [{user: admin, password: admin}] } }`);
    const { publish } = natsAt(nats.url, { user: "plain", password: "plain" });
    expect(await publish("a")).toEqual(failedWith(/^Not taken: no stream of JetStream has this subject/));
  });

  it.each(REFUSED)("behind a certificate that %s gets nothing, and the answer says so", async (_, wrong, ca, why) => {
    await using directory = await temporaryDirectory();
    const { certFile, keyFile } = await writeCertificate(directory.path, wrong);
    const nats = await startNats(
      `tls { cert_file: ${JSON.stringify(certFile)}, key_file: ${JSON.stringify(keyFile)} }`,
    );
    const own = ca === undefined ? {} : { ca };
    expect(await natsAt(`tls://localhost:${nats.port}`, {}, own).publish("a")).toEqual(failedWith(why));
  });
});
