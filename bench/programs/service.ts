// A stub of the calling service: fixed bytes for a list and for a task, and a count of what was asked. It speaks only as
// much HTTP as undici needs, over bare sockets, so that it never is what limits those who ask.
import { createServer, type Socket } from "node:net";
import { callLogPage, task, TASK_IDS } from "../support/serviceData.ts";
import { listen } from "./listen.ts";

const answers = new Map<string, Buffer>([
  ...[10, 50].map((size) => [`calllog:${size}`, answerBytes(callLogPage(size))] as const),
  ...TASK_IDS.map((id) => [`task:${id}`, answerBytes(task(id))] as const),
]);
let asked = 0;

function answerBytes(body: unknown, status = "200 OK"): Buffer {
  const text = JSON.stringify(body);
  const head = `HTTP/1.1 ${status}\r\ncontent-type: application/json\r\ncontent-length: ${Buffer.byteLength(text)}`;
  return Buffer.from(`${head}\r\n\r\n${text}`);
}

/** `/asked` tells the count and begins it anew. */
function answerTo(path: string): Buffer {
  if (path === "/asked") {
    const answer = answerBytes({ asked });
    asked = 0;
    return answer;
  }
  asked += 1;
  const size = /^\/openapi\/calllog\?.*pageSize=(\d+)/.exec(path)?.[1];
  const id = /^\/openapi\/tasks\/(\d+)$/.exec(path)?.[1];
  const known = answers.get(size === undefined ? `task:${id}` : `calllog:${size}`);
  return known ?? answerBytes({ code: 404, msg: "not here" }, "404 Not Found");
}

function serve(socket: Socket): void {
  let seen = "";
  socket.setNoDelay(true);
  socket.on("error", () => socket.destroy());
  socket.on("data", (chunk: Buffer) => {
    seen += chunk.toString("latin1");
    for (let end = seen.indexOf("\r\n\r\n"); end !== -1; end = seen.indexOf("\r\n\r\n")) {
      const path = seen.slice(seen.indexOf(" ") + 1, seen.indexOf(" HTTP/1.1"));
      seen = seen.slice(end + 4);
      socket.write(answerTo(path));
    }
  });
}

await listen(createServer(serve));
