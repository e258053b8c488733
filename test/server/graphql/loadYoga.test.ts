import { spawnSync } from "node:child_process";
import { once } from "node:events";
import { readdirSync } from "node:fs";
import { Agent, request, type IncomingMessage } from "node:http";
import { text } from "node:stream/consumers";
import { expect, it, onTestFinished } from "vitest";
import { NO_SERVICE, spawnGateway } from "../../support/gateway.ts";

const canLimit = spawnSync("prlimit", ["--version"]).status === 0;

/** Sets how many files the process may have open. Those that are open stay so. */
const limitFiles = (pid: number, count: number) =>
  spawnSync("prlimit", [`--pid=${pid}`, `--nofile=${count}:`], { stdio: "ignore" });

it.skipIf(!canLimit)(
  "a transport whose modules cannot be loaded for want of file descriptors works when there are some",
  async () => {
    await using gateway = await spawnGateway(NO_SERVICE);
    const pid = gateway.process.pid ?? 0;
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    onTestFinished(() => agent.destroy());
    const ask = async (accept: string) => {
      const headers = { "content-type": "application/json", accept };
      const asking = request(`${gateway.url}/graphql`, { method: "POST", headers, agent });
      asking.end(JSON.stringify({ query: "{ __typename }" }));
      const [answer] = (await once(asking, "response")) as [IncomingMessage];
      await text(answer);
      return answer.statusCode;
    };
    // Its connection stays open for the next ones.
    expect(await ask("application/json")).toBe(200);
    // A file that is closed meanwhile frees no number below.
    limitFiles(pid, readdirSync(`/proc/${pid}/fd`).length - 5);
    expect(await ask("multipart/mixed")).toBeGreaterThanOrEqual(500);
    limitFiles(pid, 1024);
    expect(await ask("multipart/mixed")).toBe(200);
  },
);
