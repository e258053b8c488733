// Fake services: servers that answer what a test says, and record their requests.
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { createServer as createTcpServer, type Socket } from "node:net";
import { text } from "node:stream/consumers";
import { startFakeService } from "../support/fakeService.ts";
import { silentLog } from "../support/silentLog.ts";
import { fixedToken } from "../../src/upstream/serviceToken.ts";
import { createUpstream, type UpstreamOptions } from "../../src/upstream/upstreamClient.ts";
import { createListChecks, type ListChecks, type ListChecksOptions } from "../../src/loaders/callLogLoader.ts";
import type { CallLogQuery, CreateTaskOutcome, CreateTaskRequest, Upstream } from "../../src/upstream/upstream.ts";
import { runSync } from "../../src/util/timeSlices.ts";

export interface Asked {
  method: string;
  /** Path and query as they came, undecoded. */
  target: string;
  headers: IncomingMessage["headers"];
  body: string;
}

export interface Double extends AsyncDisposable {
  url: string;
  asked: Asked[];
}

export type Answer = (response: ServerResponse, asked: Asked, request: IncomingMessage) => void;

/** A fake service that speaks HTTP. */
export async function serve(answer: Answer): Promise<Double> {
  const asked: Asked[] = [];
  const server = createServer((request, response) => {
    void text(request).then(
      (body) => {
        const one = { method: request.method ?? "", target: request.url ?? "", headers: request.headers, body };
        asked.push(one);
        answer(response, one, request);
      },
      () => undefined,
    );
  });
  return { ...(await startFakeService(server)), asked };
}

/** A fake service that sends raw bytes: `react` gets each connection with its first data. */
export async function serveBytes(react: (socket: Socket, head: string) => void): Promise<Double> {
  const asked: Asked[] = [];
  const server = createTcpServer((socket) => {
    socket.on("error", () => undefined);
    socket.once("data", (bytes: Buffer) => {
      const head = bytes.toString();
      const [method = "", target = ""] = head.split(" ");
      asked.push({ method, target, headers: {}, body: "" });
      react(socket, head);
    });
  });
  return { ...(await startFakeService(server)), asked };
}

export function json(body: unknown, status = 200): Answer {
  return raw(JSON.stringify(body), status);
}

export function raw(body: string, status = 200, headers: Record<string, string> = {}): Answer {
  return (response) => response.writeHead(status, { "content-type": "application/json", ...headers }).end(body);
}

export const emptyPage = { items: [], total: 0, pageIndex: 1, pageSize: 10 };

export function upstreamAt(url: string, options: Partial<UpstreamOptions> = {}): Upstream {
  return createUpstream({
    url,
    token: fixedToken("the-token"),
    proxy: null,
    timeZone: "Asia/Shanghai",
    timeoutMs: 20_000,
    assistantIds: "comma",
    concurrency: 256,
    cacheMs: 0,
    log: silentLog,
    ...options,
  });
}

export function callLogQuery(changes: Partial<CallLogQuery> = {}): CallLogQuery {
  return {
    taskIds: [],
    since: "2026-11-19T16:00:00.000Z",
    until: "2026-11-20T15:59:59.000Z",
    direction: null,
    phone: null,
    assistantIds: [],
    kind: null,
    pageIndex: 1,
    pageSize: 10,
    ...changes,
  };
}

/** A task by section 2.3 with every field. */
export function wholeTask() {
  return {
    id: 7,
    createdAt: "2026-11-20 09:30:00",
    updatedAt: "2026-11-20T09:30:00+08:00",
    name: "November",
    status: "stop.timeout",
    total: 3,
    progress: 33.3,
    collectionRate: "12.5",
    option: {
      numberFileMeta: { 号码: 0, 备注: 1, 姓名: 2 },
      numbers: [11, 12],
      startDate: "2026-11-20",
      startTime: [["09:00", "12:00"]],
      retryCount: 2,
      retryInterval: 60,
    },
    summary: "",
    suggestion: "Call later",
    assistantVid: 5,
    assistant: {
      id: 4,
      projectId: 3,
      name: "Ada",
      versionId: 5,
      scene: "sales",
      speakerId: 0,
      websocketUrl: "wss://user:hidden-a@voice.example/live/1?token=hidden-b#hidden-c",
      websocketToken: "hidden-d",
      listenerId: 9,
      welcome: "Hello",
      prompt: "",
      collect: [{ question: "Name?", answers: ["Ada"] }, {}, { answers: null }],
      knowledge: "None",
      createdAt: "2026-11-20T01:30:00Z",
      updatedAt: 1_763_631_000,
      creator: { email: "ada@example.com" },
      deletedAt: null,
      idOldVersion: false,
      usageCount: 12,
      creatorId: 2,
    },
  };
}

/** Writes the body of POST /openapi/tasks and sends it. */
export async function createTask(
  upstream: Upstream,
  changes: Partial<CreateTaskRequest> = {},
): Promise<CreateTaskOutcome> {
  return upstream.createTask(runSync(upstream.writeTask(createRequest(changes))));
}

export function createRequest(changes: Partial<CreateTaskRequest> = {}): CreateTaskRequest {
  return {
    name: "November",
    assistantId: "4",
    assistantOverride: null,
    option: {
      numberFileMeta: { number: 0, name: 1, gender: 2, salesPersonName: 3 },
      lineIds: ["11"],
      periods: [["09:00", "12:00"]],
      startDate: "2026-11-20",
      retryCount: 2,
      retryIntervalSeconds: 60,
    },
    numbers: [{ number: "+8613900000001", extra: null }],
    ...changes,
  };
}

/** The checks of a new process without configuration. */
export function listChecks(own: Partial<ListChecksOptions> = {}): ListChecks {
  return createListChecks({ timeZone: "Asia/Shanghai", rangeField: null, ignores: [], ...own });
}

/** Whether the request is a filter probe (src/loaders/verifyFilter.ts), which no call matches. */
export function isProbe({ target }: Pick<Asked, "target">): boolean {
  return /=(1971|2100)-|=999999999999999|phone=10000900009/.test(target);
}
