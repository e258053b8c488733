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
  "an answer by Yoga whose modules cannot be loaded for want of file descriptors works when there are some",
  async () => {
    await using gateway = await spawnGateway(NO_SERVICE, { FAST_PATH: "off" });
    const pid = gateway.process.pid ?? 0;
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    onTestFinished(() => agent.destroy());
    const ask = async (accept: string, query = "{ __typename }") => {
      const headers = { "content-type": "application/json", accept };
      const asking = request(`${gateway.url}/graphql`, { method: "POST", headers, agent });
      asking.end(JSON.stringify({ query }));
      const [answer] = (await once(asking, "response")) as [IncomingMessage];
      return [answer.statusCode, await text(answer)] as const;
    };
    // Its connection stays open for the next ones.
    expect((await ask("text/event-stream"))[0]).toBe(200);
    // A file that is closed meanwhile frees no number below.
    limitFiles(pid, readdirSync(`/proc/${pid}/fd`).length - 5);
    const add = `mutation { addToDoNotCall(numbers: ["+12025550188"]) { changed } }`;
    expect((await ask("application/json", add))[0]).toBeGreaterThanOrEqual(500);
    limitFiles(pid, 1024);
    const [status, body] = await ask("application/json", add);
    expect(status).toBe(200);
    // The mutation that could not be answered has not run.
    expect(body).toContain('{"data":{"addToDoNotCall":{"changed":1}}}');
  },
);
