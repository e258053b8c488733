// What the clients of brokers print where a server is odd or hostile: nothing of it stands between the lines of the gateway's log.
import { writeFileSync } from "node:fs";
import { createServer, type Socket } from "node:net";
import { describe, expect, it, onTestFinished } from "vitest";
import { tempFile } from "../../store/tempStore.ts";
import { callEndedEvent } from "../../support/events.ts";
import { startFakeService } from "../../support/fakeService.ts";
import { NO_SERVICE, spawnGateway } from "../../support/gateway.ts";
import { until } from "../../support/until.ts";

const PHONE = "13800010001";
const INFO = 'INFO {"server_id":"x","version":"2.9.10","proto":1,"max_payload":1048576,"headers":true}\r\n';

/** `answer`: what a server says to what it was told in this connection, however the network cuts that. */
async function gatewayAt(own: object, protocol: string, begin: string, answer: (told: string) => string) {
  let sayings = 0;
  const service = await startFakeService(
    createServer((socket: Socket) => {
      socket.on("error", () => undefined);
      socket.write(begin);
      let told = "";
      socket.on("data", (bytes) => {
        told += bytes.toString();
        const said = answer(told);
        if (said !== "") sayings += 1;
        socket.write(said);
      });
    }),
  );
  onTestFinished(() => service[Symbol.asyncDispose]());
  const file = tempFile("destinations.json");
  const url = `${protocol}://127.0.0.1:${service.port}`;
  writeFileSync(file, JSON.stringify([{ name: "odd", kind: "broker", url, from: "oldest", ...own }]));
  const env = { DESTINATIONS_FILE: file, DESTINATION_HOSTS: `127.0.0.1:${service.port}` };
  return { gateway: await spawnGateway(NO_SERVICE, env), sayings: () => sayings };
}

function expectLines(output: readonly string[]): void {
  for (const line of output) expect(() => JSON.parse(line) as unknown, line).not.toThrow();
  expect(output.join("\n")).not.toContain(PHONE);
}

describe("The log of a gateway holds lines of JSON alone", () => {
  it.each([
    ["that is none of the protocol", () => `BAD +86${PHONE} canary\r\n`],
    ["that ends in the middle", () => `MSG calls ${PHONE} 5\r\nab`],
    ["that announces more than there is", () => `HMSG a 1 99 1\r\n${PHONE}\r\n`],
    ["that is what it was sent, with the password", (told: string) => told],
  ])("where a NATS server says something %s", async (_, said) => {
    const answer = (told: string) => (told.includes("PING") ? `PONG\r\n${said(told)}` : "");
    const own = { subject: "calls", user: "canary-user", password: "canary-password" };
    const { gateway, sayings } = await gatewayAt(own, "nats", INFO, answer);
    await using running = gateway;
    await gateway.deliver(callEndedEvent());
    await until(() => sayings() > 0);
    if (!said("").startsWith("MSG")) {
      const { err } = await gateway.line(({ msg }) => msg === "a library printed a text");
      expect(err).toMatchObject({ message: expect.stringMatching(/^reader closed: \w+$/) as string });
    }
    // What the client prints late is there when it has ended.
    gateway.process.kill("SIGTERM");
    await gateway.exited;
    expectLines(running.output);
    expect(`${running.output.join()}${running.stderr()}`).not.toMatch(/canary|13800010001/);
  });

  it.each([
    ["no reply of the protocol", `\u0000${PHONE}\r\n`],
    ["a reply that nobody asked for", `+OK\r\n+${PHONE}\r\n+OK\r\n`],
  ])("where a Redis sends %s", async (_, said) => {
    const { gateway, sayings } = await gatewayAt({ stream: "calls" }, "redis", "", () => said);
    await using running = gateway;
    await gateway.deliver(callEndedEvent());
    await gateway.line(({ msg }) => msg === "a destination does not take events");
    expect(sayings()).toBeGreaterThan(0);
    expectLines(running.output);
    expect(running.stderr()).not.toContain(PHONE);
  });
});
