// The floor of the webhooks: node:http, the body read whole and kept (keep.ts), and nothing looked at. Without a database's
// URL as its first argument it keeps nothing: what HTTP alone costs. With `each` behind it, each by a transaction of its own,
// and with a number behind that on a disk that takes so many milliseconds longer.
import { createServer } from "node:http";
import { keepEach, openKeep } from "./keep.ts";
import { bodyOf, listen } from "./listen.ts";

const [url, way, slowMs = "0"] = process.argv.slice(2);
const keep = url === undefined ? async () => {} : way === "each" ? keepEach(url, Number(slowMs)) : await openKeep(url);

const server = createServer((request, response) => {
  const answer = async () => {
    await keep(await bodyOf(request));
    response.writeHead(200, { "content-type": "application/json", "content-length": 2 }).end("{}");
  };
  answer().catch(() => response.destroy());
});
await listen(server);
