// src/server/connections/socketProgress.ts reads fields of Node's socket handle that have no public API. These tests fail when
// a version of Node changes them.
import { once } from "node:events";
import { connect, createServer, type AddressInfo, type Socket } from "node:net";
import { describe, expect, it, onTestFinished } from "vitest";
import { bytesQueued, bytesTaken } from "../../../src/server/connections/socketProgress.ts";
import { until } from "../../support/until.ts";

/** More than the system's buffers of both ends hold. */
const LARGE = Buffer.alloc(64 * 1024 * 1024);

/** Both ends of a TCP connection; the client does not read until it is resumed. */
async function connection(): Promise<{ server: Socket; client: Socket }> {
  const listener = createServer().listen(0, "127.0.0.1");
  await once(listener, "listening");
  const accepted = once(listener, "connection") as Promise<[Socket]>;
  const client = connect((listener.address() as AddressInfo).port, "127.0.0.1").pause();
  const [server] = await accepted;
  onTestFinished(() => {
    client.destroy();
    server.destroy();
    listener.close();
  });
  return { server, client };
}

describe("contract with Node: the handle of a socket", () => {
  it("has the fields bytesWritten and writeQueueSize", async () => {
    const { server } = await connection();
    const handle = (server as unknown as { _handle: unknown })._handle;
    expect(handle).toMatchObject({ bytesWritten: expect.any(Number), writeQueueSize: expect.any(Number) });
  });

  it("shows the unsent rest of one large write while a peer reads, unlike writableLength", async () => {
    const { server, client } = await connection();
    server.write(LARGE);
    await until(() => bytesTaken(server) > 0);
    const [takenBefore, queuedBefore, lengthBefore] = [bytesTaken(server), bytesQueued(server), server.writableLength];
    expect(takenBefore + queuedBefore).toBe(LARGE.length);
    client.on("data", () => client.bytesRead > LARGE.length / 2 && client.pause());
    client.resume();
    await until(() => client.bytesRead > LARGE.length / 2);
    await until(() => bytesTaken(server) >= client.bytesRead);
    expect(bytesQueued(server)).toBeLessThan(queuedBefore);
    expect(server.writableLength).toBe(lengthBefore);
  });

  it("counts all bytes as taken, and none as queued, once everything was read", async () => {
    const { server, client } = await connection();
    const written = new Promise<void>((resolve) => server.write(LARGE, () => resolve()));
    client.resume();
    await written;
    expect([bytesTaken(server), bytesQueued(server)]).toEqual([LARGE.length, 0]);
  });

  it("is gone after the socket is closed, and no byte counts as queued", async () => {
    const { server } = await connection();
    server.write(LARGE);
    server.destroy();
    await once(server, "close");
    expect(bytesQueued(server)).toBe(0);
  });
});
