// What people met with receivers, files and folders elsewhere.
import { mkdirSync, rmSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { mkdtemp, rm } from "node:fs/promises";
import { networkInterfaces } from "node:os";
import { dirname, join } from "node:path";
import { Webhook } from "standardwebhooks";
import { describe, expect, it, onTestFinished } from "vitest";
import { createEventDeliverer } from "../../src/destinations/eventDeliverer.ts";
import { createFolderTarget } from "../../src/destinations/files/folderTarget.ts";
import { createHttpSender, type HttpMessage } from "../../src/destinations/httpSender.ts";
import { createHostRules } from "../../src/upstream/outside/hostRules.ts";
import { tempFile } from "../store/tempStore.ts";
import { callEndedEvent } from "../support/events.ts";
import { NO_SERVICE, startGateway } from "../support/gateway.ts";
import { until } from "../support/until.ts";
import { SECRET, startReceiver } from "./receiver.ts";
import { destination, TAKEN } from "./world.ts";

const { signal } = new AbortController();
const hasIpv6 = Object.values(networkInterfaces()).some((all) => all?.some(({ address }) => address === "::1"));
/** A folder on another file system than `folder`, or undefined. */
const otherDisk = (folder: string) =>
  ["/dev/shm", "/tmp", "/var/tmp"].find((each) => {
    const found = statSync(each, { throwIfNoEntry: false });
    return found !== undefined && found.dev !== statSync(folder).dev;
  });

describe("A message to a receiver", () => {
  // A repeat with the time of its first attempt is too old for those who verify it: https://github.com/svix/svix-webhooks/issues/93
  it("is signed anew at each attempt, with the same id", async () => {
    const sent: HttpMessage[] = [];
    let now = Date.now() - 3_600_000;
    const deliverer = createEventDeliverer(destination(), {
      send: async (message) => (sent.push(message), TAKEN),
      readEvent: async () => ({ id: "event-1", data: { sessionId: "a" } }),
      clock: () => now,
    });
    const event = { sessionId: "a", revision: 1, receivedAt: "2026-11-20T09:30:00.000Z", seq: 1, importedEnd: null };
    await deliverer.deliver(event, signal);
    now = Date.now();
    await deliverer.deliver(event, signal);
    const [late, fresh] = sent.map(
      ({ body, headers }) =>
        () =>
          new Webhook(SECRET).verify(body as string, headers),
    );
    expect(late).toThrow("Message timestamp too old");
    expect(fresh?.()).toMatchObject({ type: "call.ended", data: { sessionId: "a" } });
    expect(new Set(sent.map(({ headers }) => headers["webhook-id"]))).toEqual(new Set(["event-1"]));
  });

  it.skipIf(!hasIpv6)("reaches one that has an IPv6 address alone (skipped where there is no IPv6)", async () => {
    const server = createServer((_, response) => void response.writeHead(204).end());
    await new Promise<void>((resolve) => server.listen(0, "::1", resolve));
    onTestFinished(() => void server.close());
    const { port } = server.address() as { port: number };
    const rules = createHostRules([{ host: "[::1]", port }], [], "DESTINATION_HOSTS");
    await using sender = createHttpSender({ rules });
    const made = await sender.send({ url: `http://[::1]:${port}/hook`, headers: {}, body: "" }, signal);
    expect(made).toEqual({ outcome: "taken", status: 204 });
  });
});

describe("DESTINATIONS_FILE", () => {
  // As Kubernetes mounts secrets: https://github.com/spf13/viper/issues/284, https://github.com/project-zot/zot/pull/4384
  it("is read again where a link to its folder is exchanged, and where another file takes its place", async () => {
    const receiver = await startReceiver();
    const folder = dirname(tempFile("x"));
    const write = (version: string, name: string) => {
      mkdirSync(join(folder, version));
      const entry = { name, kind: "event", url: receiver.url, secrets: [SECRET] };
      writeFileSync(join(folder, version, "destinations.json"), JSON.stringify([entry]));
      rmSync(join(folder, "..data"), { force: true });
      symlinkSync(version, join(folder, "..data"));
    };
    write("..one", "one");
    symlinkSync("..data/destinations.json", join(folder, "destinations.json"));
    const env = { DESTINATIONS_FILE: join(folder, "destinations.json"), DESTINATION_HOSTS: receiver.host };
    await using gateway = await startGateway(NO_SERVICE, env);
    const isNamed = (name: string) =>
      until(async () => JSON.stringify(await gateway.ask("{ destinations { name } }")).includes(`"${name}"`));
    await isNamed("one");
    write("..two", "two");
    rmSync(join(folder, "..one"), { recursive: true });
    await isNamed("two");
    await until(async () => {
      await gateway.deliver(callEndedEvent());
      return receiver.messages.length > 0;
    });
    expect(JSON.parse(receiver.messages[0]?.body ?? "")).toMatchObject({ type: "call.ended" });
  });
});

describe("A folder of files", () => {
  // https://github.com/ZoneMinder/zoneminder/pull/5057, https://github.com/tagspaces/tagspaces/pull/427
  it("without hard links is refused with words that say so, and leaves nothing behind", async ({ skip }) => {
    const folder = join(dirname(tempFile("x")), "calls");
    mkdirSync(folder);
    const disk = otherDisk(folder) ?? skip("there is no other file system");
    const other = await mkdtemp(join(disk, "switchboard-"));
    onTestFinished(() => rm(other, { recursive: true, force: true }));
    symlinkSync(other, join(folder, ".parts"));
    await using target = createFolderTarget(folder);
    const refusal = "The folder cannot be written (its file system has no hard links, EXDEV).";
    await expect(target.put("a", Buffer.from("a"), signal)).rejects.toThrow(refusal);
    await expect(target.test(signal)).rejects.toThrow(refusal);
    expect(await target.get("a", signal)).toBeNull();
  });
});
