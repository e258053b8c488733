// The baseline of webhooks: reads and stores the body (keep.ts), and checks nothing. Without a database's URL it stores nothing,
// which shows the cost of HTTP alone. With `each` as second argument, every webhook has its own transaction; a third argument
// makes the disk slower by that many milliseconds.
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
