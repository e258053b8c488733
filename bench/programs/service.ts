// A stub of the calling service: returns prepared bytes for a list and a task, and counts requests. It speaks only the HTTP
// that undici needs, over bare sockets, so that it never limits the servers under test. Argument: its latency in ms (0).
import { createServer, type Socket } from "node:net";
import { callLogPage, task } from "../support/serviceData.ts";
import { DAMAGED_DAY, taskIdsOf } from "../support/ranges.ts";
import { listen } from "./listen.ts";

let latencyMs = Number(process.argv[2] ?? 0);
const answers = new Map<string, Buffer>();
let asked = 0;

function answerBytes(body: unknown, status = "200 OK"): Buffer {
  const text = JSON.stringify(body);
  const head = `HTTP/1.1 ${status}\r\ncontent-type: application/json\r\ncontent-length: ${Buffer.byteLength(text)}`;
  return Buffer.from(`${head}\r\n\r\n${text}`);
}

/** `/asked` returns the count and resets it; `/latency/20` changes the latency. */
function answerTo(path: string): Buffer {
  const latency = /^\/latency\/(\d+)$/.exec(path)?.[1];
  if (latency !== undefined) {
    latencyMs = Number(latency);
    return answerBytes({ latencyMs });
  }
  if (path === "/asked") {
    const answer = answerBytes({ asked });
    asked = 0;
    return answer;
  }
  asked += 1;
  // Created on the first request, which is before the measurement.
  const answer = answers.get(path) ?? answerBytes(bodyOf(path) ?? { code: 404, msg: "not here" });
  answers.set(path, answer);
  return answer;
}

function bodyOf(path: string): unknown {
  const id = /^\/openapi\/tasks\/(\d+)$/.exec(path)?.[1];
  if (id !== undefined) return task(Number(id));
  const { searchParams } = new URL(path, "http://service.invalid");
  const from = searchParams.get("startTime");
  if (from === null) return null;
  const page = callLogPage({
    size: Number(searchParams.get("pageSize")),
    day: from.slice(0, 10),
    taskIds: taskIdsOf(from),
    pageIndex: Number(searchParams.get("pageIndex") ?? 1),
    since: from,
    until: searchParams.get("endTime") ?? "9999",
  });
  // This row is damaged, so a server that checks the answers of the service must refuse it.
  return from.startsWith(DAMAGED_DAY) ? { ...page, items: page.items.map(() => 7) } : page;
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
      const answer = answerTo(path);
      if (latencyMs === 0) socket.write(answer);
      else setTimeout(() => socket.write(answer), latencyMs);
    }
  });
}

await listen(createServer(serve));
