// A calling service in memory over node:http. It follows service.md, except for what the hooks of an Oddity change. It is written
// from the document alone and shares no code with the sandbox or the gateway.
import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { callRow, dayOf, eventBody, parseWallClock, taskBody } from "./serviceFormat.ts";
import { selectCalls, usualSemantics, type Selection, type Semantics } from "./selectCalls.ts";
import { createRandom, type Call, type Random, type World } from "./world.ts";

export const SERVICE_TOKEN = "odd-service-token";

export interface ListQuery extends Selection {
  pageIndex: number;
  pageSize: number;
}

export type Json = Record<string, unknown>;

/** One response of the list, before it is written. */
export interface Listing {
  query: ListQuery;
  /** All that match, in order. */
  calls: readonly Call[];
  /** The response of an honest service. */
  body: { items: unknown[]; total: number; pageIndex: number; pageSize: number };
  /** Rows by their position. */
  rows(from: number, to: number): unknown[];
  world: World;
  /** Requests for lists before this one. */
  turn: number;
  random: Random;
}

export interface Outgoing {
  status: number;
  headers: Record<string, string>;
  text: string;
}

/** How the service differs from an honest one. A missing hook means honest behaviour. */
export interface Oddity {
  /** Changes how the service understands the parameters. */
  readQuery?: (asked: ListQuery, parameters: URLSearchParams) => ListQuery;
  /** An additional filter; it gets the parameters as they were sent. */
  filter?: (call: Call, asked: ListQuery) => boolean;
  /** Changes the whole response of a list. An Outgoing sets the status, too. */
  writeList?: (listing: Listing) => unknown;
  writeCall?: (row: Json, call: Call, random: Random) => unknown;
  /** `body` is null for an unknown task: an honest service answers 404. */
  writeTask?: (body: Json | null, id: string, world: World) => unknown;
  /** Changes any response before it is sent; null: the hook has sent it. */
  send?: (out: Outgoing, response: ServerResponse, random: Random, request: IncomingMessage) => Outgoing | null;
  /** The deliveries for one ended call: JSON, or a text that is sent as it is. */
  deliver?: (body: { event_name: string; event_data: Json }, call: Call, random: Random) => readonly unknown[];
}

export interface Service extends AsyncDisposable {
  url: string;
  /** The number of list requests so far, by which a moving world changes. */
  turn(): number;
  /** The number of all requests so far. */
  requests(): number;
  /** Whether any response or delivery differed from an honest service's. */
  wasOdd(): boolean;
  /** The webhook bodies for an ended call, in their intended order. */
  deliveriesOf(call: Call): string[];
}

export async function startService(
  world: World,
  oddity: Oddity,
  semantics: Semantics = usualSemantics,
  seed = 1,
): Promise<Service> {
  const random = createRandom(seed);
  let turn = 0;
  let requests = 0;
  let isOdd = false;

  const writeRow = (call: Call) => (oddity.writeCall ?? ((row: Json) => row))(callRow(call, world.zone), call, random);

  function list(parameters: URLSearchParams): Outgoing {
    const asked = parseQuery(parameters, world);
    if (typeof asked === "string") return json({ error: asked }, 400);
    const understood = oddity.readQuery?.(asked, parameters) ?? asked;
    const keeps = oddity.filter ?? (() => true);
    const calls = selectCalls(world, understood, semantics, turn).filter((call) => keeps(call, asked));
    if (semantics.order === "none") shuffle(calls, random);
    const rows = (from: number, to: number) => calls.slice(Math.max(0, from), Math.max(0, to)).map(writeRow);
    const { pageIndex, pageSize } = understood;
    const start = (pageIndex - 1) * pageSize;
    const body = { items: rows(start, start + pageSize), total: calls.length, pageIndex, pageSize };
    const listing = { query: understood, calls, body, rows, world, turn, random };
    turn += 1;
    const given = oddity.writeList ? oddity.writeList(listing) : body;
    const out = isOutgoing(given) ? given : json(given);
    if (!isOdd && (oddity.readQuery || oddity.filter || oddity.writeList || oddity.writeCall)) {
      const honest = selectCalls(world, asked, semantics, turn - 1);
      const from = (asked.pageIndex - 1) * asked.pageSize;
      const items = honest.slice(from, from + asked.pageSize).map((call) => callRow(call, world.zone));
      const { pageIndex, pageSize } = asked;
      if (out.text !== JSON.stringify({ items, total: honest.length, pageIndex, pageSize })) isOdd = true;
    }
    return out;
  }

  function task(id: string): Outgoing {
    const found = world.tasks.find((each) => each.id === id);
    const body = found ? taskBody(found, world.zone) : null;
    if (!oddity.writeTask) return body === null ? json({ error: "no such task" }, 404) : json(body);
    const given = oddity.writeTask(body, id, world);
    if (JSON.stringify(given) !== JSON.stringify(body)) isOdd = true;
    return isOutgoing(given)
      ? given
      : given === null && body === null
        ? json({ error: "no such task" }, 404)
        : json(given);
  }

  function answer(request: IncomingMessage): Outgoing {
    const { pathname, searchParams } = new URL(request.url ?? "", "http://service");
    if (request.headers.authorization !== `Bearer ${SERVICE_TOKEN}`) return json({ error: "unknown token" }, 401);
    if (pathname === "/openapi/calllog") return list(searchParams);
    const id = /^\/openapi\/tasks\/(\d+)$/.exec(pathname)?.[1];
    return id === undefined ? json({ error: "no such address" }, 404) : task(id);
  }

  const server = createServer((request, response) => {
    requests += 1;
    const out = answer(request);
    const sent = oddity.send ? oddity.send(out, response, random, request) : out;
    if (sent !== out) isOdd = true;
    if (sent !== null) response.writeHead(sent.status, sent.headers).end(sent.text);
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    turn: () => turn,
    requests: () => requests,
    wasOdd: () => isOdd,
    deliveriesOf(call) {
      const body = eventBody(call, world.zone);
      const given = oddity.deliver ? oddity.deliver(body, call, random) : [body];
      const texts = given.map((each) => (typeof each === "string" ? each : JSON.stringify(each)));
      if (texts.length !== 1 || texts[0] !== JSON.stringify(body)) isOdd = true;
      return texts;
    },
    async [Symbol.asyncDispose]() {
      const closed = once(server, "close");
      server.close();
      server.closeAllConnections();
      await closed;
    },
  };
}

export function json(body: unknown, status = 200): Outgoing {
  return { status, headers: { "content-type": "application/json" }, text: JSON.stringify(body) };
}

function isOutgoing(given: unknown): given is Outgoing {
  return typeof given === "object" && given !== null && "headers" in given && "text" in given;
}

/** A text says what is wrong. An honest service is strict, so that it exposes a gateway that breaks the document. */
function parseQuery(parameters: URLSearchParams, world: World): ListQuery | string {
  const get = (name: string) => parameters.get(name);
  const taskIds = get("taskId")?.split(",") ?? [];
  const assistantIds = get("assistantIds")?.split(",") ?? [];
  const since = parseWallClock(get("startTime"), world.zone) ?? dayOf(world.now, world.zone).since;
  const until = parseWallClock(get("endTime"), world.zone) ?? dayOf(world.now, world.zone).until;
  const [pageIndex, pageSize] = [Number(get("pageIndex") ?? 1), Number(get("pageSize") ?? 10)];
  const [direction, phone, kind] = [get("direction"), get("phone"), get("description")];
  if (taskIds.length > 10 || ![...taskIds, ...assistantIds].every((id) => /^[1-9]\d*$/.test(id))) return "ids";
  if (Number.isNaN(since) || Number.isNaN(until)) return "a time";
  if (!(pageIndex >= 1) || !(pageSize >= 1 && pageSize <= 100)) return "the page";
  if (![null, "inbound", "outbound"].includes(direction)) return "direction";
  if (![null, "phone", "privateTest"].includes(kind)) return "description";
  return { taskIds, assistantIds, since, until, direction, phone, kind, pageIndex, pageSize };
}

function shuffle(list: unknown[], random: Random): void {
  for (let at = list.length - 1; at > 0; at -= 1) {
    const other = random.int(0, at);
    [list[at], list[other]] = [list[other], list[at]];
  }
}
