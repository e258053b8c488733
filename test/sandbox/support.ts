// Starts a sandbox without history or traffic, and a receiver for its webhook.
import { createServer } from "node:http";
import { parseJson } from "../../sandbox/src/bigintJson.ts";
import type { Sandbox, SandboxOptions } from "../../sandbox/src/sandbox.ts";
import { emptySandbox } from "../support/emptySandbox.ts";
import { startFakeService } from "../support/fakeService.ts";

export const TOKEN = "test-token";
export const ZONE = "Asia/Shanghai";

export interface Reply {
  status: number;
  headers: Headers;
  text: string;
  /** The body as JSON, with integers beyond 2^53 as bigint. Undefined if it is not JSON. */
  body: unknown;
}
/** A body whose shape the test knows. */
export type Fields = Record<string, unknown>;
export interface Page {
  items: Fields[];
  total: number;
  pageIndex: number;
  pageSize: number;
}

export interface Opened extends AsyncDisposable {
  sandbox: Sandbox;
  /** Requests any path, with the token unless `headers` replaces it. Follows no redirects. */
  call(path: string, init?: RequestInit): Promise<Reply>;
  post(path: string, body: unknown): Promise<Reply>;
  /** Reads a page of the list; throws unless the status is 200. */
  list(query?: string): Promise<Page>;
  task(id: string | bigint | number): Promise<Fields>;
}

export async function openSandbox(options: Partial<SandboxOptions> = {}): Promise<Opened> {
  const sandbox = await emptySandbox({ token: TOKEN, timeZone: ZONE, ...options });
  const call = async (path: string, init: RequestInit = {}): Promise<Reply> => {
    const response = await fetch(sandbox.url + path, {
      redirect: "manual",
      headers: { authorization: `Bearer ${TOKEN}` },
      ...init,
    });
    const text = await response.text();
    return { status: response.status, headers: response.headers, text, body: jsonOf(text) };
  };
  const getOk = async (path: string) => {
    const reply = await call(path);
    if (reply.status !== 200) throw new Error(`${path} was answered ${reply.status}: ${reply.text}`);
    return reply.body;
  };
  return {
    sandbox,
    call,
    post: (path, body) =>
      call(path, {
        method: "POST",
        headers: { authorization: `Bearer ${TOKEN}`, "content-type": "application/json" },
        body: JSON.stringify(body),
      }),
    list: async (query = "") => (await getOk(`/openapi/calllog?${query}`)) as Page,
    task: async (id) => (await getOk(`/openapi/tasks/${id}`)) as Fields,
    [Symbol.asyncDispose]: () => sandbox[Symbol.asyncDispose](),
  };
}

export interface Received {
  authorization: string | undefined;
  contentType: string | undefined;
  text: string;
  /** event_data, if the body has it. */
  data: Fields;
  name: unknown;
}
export interface Receiver extends AsyncDisposable {
  url: string;
  received: Received[];
  /** Sets the status for the next requests, by the number of requests so far; default 200. 0: no answer. */
  answerWith(status: (count: number) => number, headers?: Record<string, string>): void;
}

export async function openReceiver(): Promise<Receiver> {
  const received: Received[] = [];
  let answer = { status: (_count: number) => 200, headers: {} as Record<string, string> };
  const server = createServer((request, response) => {
    const parts: Buffer[] = [];
    request.on("data", (part: Buffer) => parts.push(part));
    request.on("end", () => {
      const text = Buffer.concat(parts).toString("utf8");
      const event = (jsonOf(text) ?? {}) as { event_name?: unknown; event_data?: Fields };
      received.push({
        authorization: request.headers.authorization,
        contentType: request.headers["content-type"],
        text,
        data: event.event_data ?? {},
        name: event.event_name,
      });
      const status = answer.status(received.length);
      if (status !== 0) response.writeHead(status, answer.headers).end("{}");
    });
  });
  const service = await startFakeService(server);
  return {
    url: `${service.url}/calllog`,
    received,
    answerWith: (status, headers = {}) => {
      answer = { status, headers };
    },
    [Symbol.asyncDispose]: () => service[Symbol.asyncDispose](),
  };
}

/** A valid body of POST /openapi/tasks, with changes. */
export function taskBody(changes: Fields = {}, option: Fields = {}): Fields {
  return {
    name: "Autumn round",
    assistantId: 11,
    option: {
      numberFileMeta: { 号码: 0, 姓名: 1, 性别: 2, 销售姓名: 3 },
      numbers: [61, 62],
      startTime: [["09:00", "18:00"]],
      startDate: "2026-11-20",
      retryCount: 2,
      retryInterval: 60,
      ...option,
    },
    numbers: [{ number: "10000000001", extra: { 姓名: "王芳", 订单: 7 } }, { number: "10000000002" }],
    ...changes,
  };
}

/** Epoch ms of a wall-clock time in the sandbox's zone. */
export const at = (wall: string, zone = ZONE): number =>
  Temporal.PlainDateTime.from(wall.replace(" ", "T")).toZonedDateTime(zone).epochMilliseconds;

export function jsonOf(text: string): unknown {
  try {
    return parseJson(text);
  } catch {
    return undefined;
  }
}
