// Receivers whose certificate is wrong get nothing, and the last answer says why. Those of brokers are in brokers/.
import { createSecureServer } from "node:http2";
import { createServer, type ServerOptions } from "node:https";
import type { Server } from "node:net";
import { afterEach, describe, expect, it, onTestFinished, vi } from "vitest";
import { createBucketTarget } from "../../src/destinations/files/bucketTarget.ts";
import { createHttpSender, type SenderOptions } from "../../src/destinations/httpSender.ts";
import { createHostRules } from "../../src/upstream/outside/hostRules.ts";
import { startFakeService } from "../support/fakeService.ts";
import { cert, key } from "../upstream/localhostCertificate.ts";
import { certificates } from "./certificates.ts";
import { usualFiles } from "./files/targets.ts";

const LIMITS = { connectMs: 60_000, answerMs: 60_000, bodyMs: 60_000, bodyBytes: 4096 };

async function sendTo(server: Server, { host = "localhost", ...own }: Partial<SenderOptions> & { host?: string } = {}) {
  const service = await startFakeService(server);
  onTestFinished(() => service[Symbol.asyncDispose]());
  const rules = createHostRules([{ host, port: service.port }], [], "DESTINATION_HOSTS");
  const sender = createHttpSender({ rules, limits: LIMITS, ...own });
  onTestFinished(() => sender[Symbol.asyncDispose]());
  const message = { url: `https://${host}:${service.port}/hook`, headers: {}, body: "canary" };
  return () => sender.send(message, new AbortController().signal);
}

function receiver(own: ServerOptions) {
  const seen: string[] = [];
  const server = createServer({ key, ...own }, (request, response) => {
    seen.push(request.httpVersion);
    response.writeHead(204).end();
  });
  return { server, seen };
}
const failedWith = (text: string) => ({ outcome: "failed", status: null, text, retryAfterMs: null, isOwn: false });

describe("A receiver over TLS", () => {
  afterEach(() => void vi.unstubAllEnvs());

  // What was missed meanwhile has to come again: https://github.com/planningcenter/developers/issues/758
  it.each([
    ["has expired", certificates.expired, "its certificate has expired (CERT_HAS_EXPIRED)"],
    [
      "is not valid yet",
      certificates.future,
      "its certificate is not valid yet, or the clock of this machine is wrong (CERT_NOT_YET_VALID)",
    ],
    ["is for another name", certificates.other, "its certificate is for another name (ERR_TLS_CERT_ALTNAME_INVALID)"],
  ])("whose certificate %s gets nothing, and the answer says so", async (_, wrong, why) => {
    const { server, seen } = receiver({ cert: wrong });
    const send = await sendTo(server, { ca: wrong });
    expect(await send()).toEqual(failedWith(`The receiver could not be reached: ${why}.`));
    server.setSecureContext({ key, cert });
    expect(seen).toEqual([]);
  });

  // Switches for it are asked for, and set for good: https://github.com/Sanofi-IADC/whispr/pull/206
  it.each(["1", "0"])(
    "whose certificate is signed by itself gets nothing, also with NODE_TLS_REJECT_UNAUTHORIZED=%s",
    async (value) => {
      vi.stubEnv("NODE_TLS_REJECT_UNAUTHORIZED", value);
      const { server, seen } = receiver({ cert });
      const send = await sendTo(server);
      const why = "its certificate is signed by itself alone (DEPTH_ZERO_SELF_SIGNED_CERT)";
      expect(await send()).toEqual(failedWith(`The receiver could not be reached: ${why}.`));
      expect(seen).toEqual([]);
    },
  );

  it("that is a bucket gets nothing, either, and says what is wrong with its certificate", async () => {
    const { server, seen } = receiver({ cert: certificates.expired });
    const service = await startFakeService(server);
    onTestFinished(() => service[Symbol.asyncDispose]());
    const rules = createHostRules([{ host: "localhost", port: service.port }], [], "DESTINATION_HOSTS");
    const url = `https://localhost:${service.port}/calls`;
    const keys = { accessKeyId: "id", secretAccessKey: "key" };
    const bucket = { ...usualFiles, kind: "bucket" as const, url, ...keys };
    await using target = createBucketTarget(bucket, { rules, ca: certificates.expired });
    await expect(target.test(new AbortController().signal)).rejects.toThrow(
      "The bucket could not be reached: its certificate has expired (CERT_HAS_EXPIRED).",
    );
    expect(seen).toEqual([]);
  });

  it("gets a message by a new connection where it is closing the one that was kept", async () => {
    const sockets = new WeakMap<object, number>();
    let closed = 0;
    const server = createServer({ key, cert }, (request, response) => {
      const count = (sockets.get(request.socket) ?? 0) + 1;
      sockets.set(request.socket, count);
      if (count === 1) response.writeHead(204).end();
      else {
        closed += 1;
        request.socket.destroy();
      }
    });
    const send = await sendTo(server, { ca: cert });
    for (let at = 0; at < 10; at += 1) expect(await send()).toEqual({ outcome: "taken", status: 204 });
    expect(closed).toBeGreaterThan(0);
  });

  it("whose certificate is renewed gets the next message", async () => {
    const { server, seen } = receiver({ cert: certificates.expired });
    const send = await sendTo(server, { ca: cert });
    expect(await send()).toMatchObject({ outcome: "failed" });
    server.setSecureContext({ key, cert });
    expect(await send()).toEqual({ outcome: "taken", status: 204 });
    expect(seen).toEqual(["1.1"]);
  });

  // All requests of one connection of HTTP/2 were lost with it, or hung: https://github.com/moraxh/MisLineas/pull/7,
  // https://github.com/nodejs/undici/issues/3140, https://github.com/nodejs/undici/issues/5089
  it("that speaks HTTP/2, too, gets HTTP/1.1, and one that speaks nothing else is refused with words", async () => {
    const seen: string[] = [];
    const both = createSecureServer({ key, cert, allowHTTP1: true }, (request, response) => {
      seen.push(request.httpVersion);
      response.writeHead(204);
      response.end();
    });
    expect(await (await sendTo(both, { ca: cert }))()).toEqual({ outcome: "taken", status: 204 });
    expect(seen).toEqual(["1.1"]);
    const alone = createSecureServer({ key, cert });
    const code = "ERR_SSL_TLSV1_ALERT_NO_APPLICATION_PROTOCOL";
    expect(await (await sendTo(alone, { ca: cert }))()).toEqual(
      failedWith(`The receiver could not be reached: it does not speak HTTP/1.1 (${code}).`),
    );
  });
});
