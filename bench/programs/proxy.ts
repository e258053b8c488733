// The baseline of queries: sends the same requests to the service with undici, and returns the bytes. Parses, checks and
// selects nothing. Arguments: the service's address, and optionally the required Authorization header. The path
// `/SIZE/TASKS/DAY` selects the requests; any other path sends none.
import { createServer } from "node:http";
import { Pool } from "undici";
import { rangeOn, taskIdsOf } from "../support/ranges.ts";
import { bodyOf, listen } from "./listen.ts";

const [, , service = "", authorization] = process.argv;
const pool = new Pool(service, { connections: 256 });
const nothing = Buffer.from(`{"data":{"__typename":"Query"}}`);
const wanted = /^\/(\d+)\/(\d+)\/([\d-]+)$/;

async function read(path: string): Promise<Buffer> {
  const { body } = await pool.request({ path, method: "GET", headers: { accept: "application/json" } });
  return Buffer.from(await body.arrayBuffer());
}

async function work(url: string): Promise<Buffer> {
  const [, size, tasks = "0", day = ""] = wanted.exec(url) ?? [];
  if (size === undefined) return nothing;
  const { since, until } = rangeOn(day, Number(tasks) || 1);
  const range = `startTime=${wallClock(since)}&endTime=${wallClock(until)}`;
  const list = await read(`/openapi/calllog?${range}&pageIndex=1&pageSize=${size}`);
  if (tasks === "0") return list;
  // The list names the tasks.
  const ids = taskIdsOf(since);
  return Buffer.concat([list, ...(await Promise.all(ids.map((id) => read(`/openapi/tasks/${id}`))))]);
}

function wallClock(time: string): string {
  return `${time.slice(0, 10)}%20${time.slice(11, 19)}`;
}

const server = createServer((request, response) => {
  if (authorization !== undefined && request.headers.authorization !== authorization) {
    response.writeHead(401, { connection: "close", "content-length": 2 }).end("{}");
    return;
  }
  const answer = async () => {
    await bodyOf(request);
    const bytes = await work(request.url ?? "");
    response.writeHead(200, { "content-type": "application/json", "content-length": bytes.length }).end(bytes);
  };
  answer().catch(() => response.destroy());
});
await listen(server);
