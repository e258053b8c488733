// Server-sent events as a browser's EventSource reads them: IDs, Last-Event-ID, retry. By GET and by POST, with and without Yoga.
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { callEndedEvent } from "../support/events.ts";
import { type TestGateway, NO_SERVICE, startGateway } from "../support/gateway.ts";

/** A block of the stream: its fields by name. */
type Block = Record<string, string>;

interface Asked {
  query: string;
  variables?: Record<string, unknown>;
}

const EVENTS = "subscription ($after: String) { callEnded(after: $after) { sessionId } }";
const ITEMS =
  "subscription ($after: String) { callEndedStream(after: $after) { __typename ... on CallEnded { sessionId } } }";

describe.each(["on", "off"])("Server-sent events with FAST_PATH=%s", (fastPath) => {
  let gateway: TestGateway;
  const sessionIds = ["one", "two", "three"];
  /** The cursors of these calls. */
  let cursors: string[] = [];
  beforeAll(async () => {
    gateway = await startGateway(NO_SERVICE, { FAST_PATH: fastPath, CORS_ORIGINS: "https://a.example" });
    for (const session_id of sessionIds) await gateway.deliver(callEndedEvent({ session_id }));
    const page = await gateway.ask<{ callEndedEvents: { nodes: { cursor: string }[] } }>(
      "{ callEndedEvents(first: 10) { nodes { cursor } } }",
    );
    cursors = page.data?.callEndedEvents.nodes.map(({ cursor }) => cursor) ?? [];
  });
  afterAll(() => gateway[Symbol.asyncDispose]());

  const ways = {
    GET: ({ query, variables }: Asked) => {
      const search = new URLSearchParams({ query, variables: JSON.stringify(variables ?? {}) });
      return [`?${search}`, { method: "GET", headers: { "sec-fetch-site": "same-origin" } }] as const;
    },
    POST: (asked: Asked) =>
      ["", { method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify(asked) }] as const,
  };

  async function open(way: keyof typeof ways, asked: Asked, sent: Record<string, string> = {}) {
    const [search, { headers, ...init }] = ways[way](asked);
    const abort = new AbortController();
    onTestFinished(() => abort.abort());
    const response = await fetch(`${gateway.url}/graphql${search}`, {
      ...init,
      headers: { ...headers, accept: "text/event-stream", ...sent },
      signal: abort.signal,
    });
    const blocks = blocksOf(response);
    return {
      response,
      next: async () => (await blocks.next()).value ?? {},
      /** Reads to the end, or until `count` events have come. */
      async take(count: number) {
        const taken: Block[] = [];
        let events = 0;
        while (events < count) {
          const { value, done } = await blocks.next();
          if (done) break;
          taken.push(value);
          if (value["event"] !== undefined) events += 1;
        }
        return taken;
      },
    };
  }
  const eventsOf = (blocks: Block[]) => blocks.filter(({ event }) => event !== undefined);
  const sessionOf = ({ data }: Block) =>
    (Object.values(JSON.parse(data ?? "{}").data)[0] as { sessionId?: string }).sessionId;

  describe.each(["GET", "POST"] as const)("by %s", (way) => {
    it("tell the ID of the start, when to retry, and the ID of each event, which need not be selected", async () => {
      const stream = await open(way, { query: EVENTS, variables: { after: cursors[0] } });
      const blocks = await stream.take(2);
      expect(blocks.filter(({ retry }) => retry !== undefined)).toEqual([
        { retry: expect.stringMatching(/^[1-3]\d{3}$/) },
      ]);
      expect(blocks.filter(({ event, id }) => event === undefined && id !== undefined)).toEqual([{ id: cursors[0] }]);
      expect(eventsOf(blocks).map(({ event, id }) => [event, id])).toEqual([
        ["next", cursors[1]],
        ["next", cursors[2]],
      ]);
      expect(eventsOf(blocks).map(sessionOf)).toEqual(["two", "three"]);
    });

    it("continue behind Last-Event-ID, which wins over the argument after", async () => {
      for (const query of [EVENTS, ITEMS]) {
        const headers = { "last-event-id": cursors[1] ?? "" };
        const stream = await open(way, { query, variables: { after: cursors[0] } }, headers);
        const blocks = eventsOf(await stream.take(query === EVENTS ? 1 : 2));
        expect(blocks.map(sessionOf).filter(Boolean)).toEqual(["three"]);
      }
    });

    it("have an ID for each item of callEndedStream, also for the checkpoint that begins it", async () => {
      const stream = await open(way, { query: ITEMS, variables: { after: cursors[1] } });
      expect(eventsOf(await stream.take(2)).map(({ id }) => id)).toEqual([cursors[1], cursors[2]]);
    });

    it("tell the head of the log, from which a subscription without a cursor starts", async () => {
      const stream = await open(way, {
        query: "subscription { ...Live } fragment Live on Subscription { callEnded { id } }",
      });
      const next = async (): Promise<Block> => {
        const block = await stream.next();
        return block["id"] === undefined ? next() : block;
      };
      const { data } = await gateway.ask<{ callEndedEvents: { headCursor: string } }>(
        "{ callEndedEvents { headCursor } }",
      );
      expect(await next()).toEqual({ id: data?.callEndedEvents.headCursor });
    });

    it("are neither collected nor changed by proxies", async () => {
      const { response } = await open(way, { query: EVENTS });
      expect(response.headers.get("x-accel-buffering")).toBe("no");
      expect(response.headers.get("cache-control")).toBe("private, no-store, no-transform");
      expect(response.headers.get("content-type")).toBe("text/event-stream");
    });

    it("refuse a wrong Last-Event-ID like a wrong cursor", async () => {
      const byArgument = await open(way, { query: EVENTS, variables: { after: "wrong" } });
      const byHeader = await open(way, { query: EVENTS }, { "last-event-id": "wrong" });
      const codes = [];
      for (const stream of [byArgument, byHeader]) {
        const [first, last] = eventsOf(await stream.take(2));
        const { errors } = JSON.parse(first?.["data"] ?? "{}") as { errors: { extensions: { code: string } }[] };
        codes.push([stream.response.status, errors[0]?.extensions.code, last?.["event"]]);
      }
      expect(codes[0]).toEqual([200, "CURSOR_INVALID", "complete"]);
      expect(codes[1]).toEqual(codes[0]);
    });

    it("have no ID where the results have no place in the log, and ignore Last-Event-ID", async () => {
      const stream = await open(way, { query: "{ serviceTimeZone }" }, { "last-event-id": "wrong" });
      const blocks = await stream.take(3);
      expect(eventsOf(blocks).map(({ event }) => event)).toEqual(["next", "complete"]);
      expect(blocks.filter(({ id, retry }) => (id ?? retry) !== undefined)).toEqual([]);
    });
  });

  it("run no mutation by GET", async () => {
    const query = 'mutation { reprocessQuarantined(id: "x") { reason } }';
    const { response, take } = await open("GET", { query });
    expect([response.status, response.headers.get("allow")]).toEqual([405, "POST"]);
    expect((await take(1)).at(-1)?.["data"]).toContain("Mutations must be sent by POST");
  });

  it("refuse a GET with parameters that are not JSON, and one without a query", async () => {
    for (const search of ["?query={x}&variables=[", "?query={x}&extensions=x", "", "?operationName=x"]) {
      const headers = { accept: "text/event-stream", "x-switchboard-preflight": "1" };
      expect((await fetch(`${gateway.url}/graphql${search}`, { headers })).status).toBe(400);
    }
  });

  it("carry the same IDs in a shared group", async () => {
    const [one, other] = [await open("POST", { query: EVENTS }), await open("GET", { query: EVENTS })];
    const ids = async (stream: typeof one) => eventsOf(await stream.take(6)).map(({ id }) => id);
    // Both have read the log by themselves before they share.
    const read = Promise.all([ids(one), ids(other)]);
    for (let at = 0; at < 6; at += 1) await gateway.deliver(callEndedEvent({ session_id: `shared-${at}` }));
    const [first, second] = await read;
    const { data } = await gateway.ask<{ callEndedEvents: { nodes: { cursor: string }[] } }>(
      "query ($after: String) { callEndedEvents(first: 10, after: $after) { nodes { cursor } } }",
      { after: cursors[2] },
    );
    expect(first).toEqual(data?.callEndedEvents.nodes.map(({ cursor }) => cursor));
    expect(second).toEqual(first);
  });
});

async function* blocksOf(response: Response): AsyncGenerator<Block, undefined, undefined> {
  let text = "";
  const decoder = new TextDecoder();
  try {
    for await (const chunk of response.body ?? []) {
      text += decoder.decode(chunk, { stream: true });
      const blocks = text.split("\n\n");
      text = blocks.pop() ?? "";
      yield* blocks.map(fieldsOf).filter((fields) => Object.keys(fields).length > 0);
    }
  } catch {
    // The test has ended.
  }
  return undefined;
}

/** Comments are left out. */
function fieldsOf(block: string): Block {
  const lines = block.split("\n").filter((line) => !line.startsWith(":"));
  return Object.fromEntries(lines.map((line) => [line.slice(0, line.indexOf(":")), line.replace(/^\w+: ?/, "")]));
}
