// Serves recordings: 10 MB at each path, and 64 kB under /small/.
import { createServer, type ServerResponse } from "node:http";
import { createSounds } from "../../sandbox/src/api/recordingFiles.ts";
import { listen } from "./listen.ts";

const LARGE = 10 * 1024 * 1024;
const SMALL = 64 * 1024;
const PIECE = 64 * 1024;
const beginning = createSounds()("bench", 1).subarray(0, 1024);

const server = createServer((request, response) => {
  response.on("error", () => undefined);
  void answer(request.url ?? "", response);
});

async function answer(path: string, response: ServerResponse): Promise<void> {
  const size = path.startsWith("/small/") ? SMALL : LARGE;
  response.writeHead(200, { "content-type": "audio/wav", "content-length": size });
  // Each recording has different bytes, so that the archive stores each of them.
  const head = Buffer.concat([beginning, Buffer.from(path)]);
  response.write(head);
  for (let left = size - head.length; left > 0 && !response.destroyed; left -= PIECE) {
    const isTaken = response.write(Buffer.alloc(Math.min(left, PIECE), left % 251));
    if (!isTaken) await new Promise((resolve) => response.once("drain", resolve).once("close", resolve));
  }
  response.end();
}

await listen(server);
