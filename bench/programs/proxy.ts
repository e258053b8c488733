// The floor of the queries: node:http and undici, the same requests to the service, and its bytes one behind the other.
// Nothing is parsed, checked or chosen. First argument: the service's address.
import { createServer } from "node:http";
import { Pool } from "undici";
import { TASK_IDS } from "../support/serviceData.ts";
import { bodyOf, listen } from "./listen.ts";

const pool = new Pool(process.argv[2] ?? "", { connections: 256 });
const range = "startTime=2026-11-20%2000:00:00&endTime=2026-11-20%2023:59:59";

async function read(path: string): Promise<Buffer> {
  const { body } = await pool.request({ path, method: "GET", headers: { accept: "application/json" } });
  return Buffer.from(await body.arrayBuffer());
}

const listOf = (size: number) => read(`/openapi/calllog?${range}&pageIndex=1&pageSize=${size}`);

/** The paths stand for the benchmark's three queries. */
const work: Record<string, () => Promise<Buffer[]>> = {
  "/typename": async () => [Buffer.from(`{"data":{"__typename":"Query"}}`)],
  "/calls10": async () => [await listOf(10)],
  // The tasks are known only when the list has come.
  "/calls50": async () => [
    await listOf(50),
    ...(await Promise.all(TASK_IDS.map((id) => read(`/openapi/tasks/${id}`)))),
  ],
};

const server = createServer((request, response) => {
  const answer = async () => {
    await bodyOf(request);
    const bytes = Buffer.concat((await work[request.url ?? ""]?.()) ?? []);
    response.writeHead(200, { "content-type": "application/json", "content-length": bytes.length }).end(bytes);
  };
  answer().catch(() => response.destroy());
});
await listen(server);
