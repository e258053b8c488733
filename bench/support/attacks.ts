// Attacks on a gateway by one client, each an endless loop.
import type { Scope } from "../../src/auth/scopes.ts";
import { begun, flood, sockets, type Pace, type Victim } from "./attackTools.ts";
import { postBytes } from "./line.ts";
import { createTask, taskBodies } from "./taskBodies.ts";

export interface Attack {
  transport: "HTTP" | "WebSocket" | "SSE";
  /** Null: the attacker has no credentials. */
  scopes: readonly Scope[] | null;
  begin: (victim: Victim) => void;
}

const READER: readonly Scope[] = ["calls:read"];
const CREATOR: readonly Scope[] = ["tasks:create"];
const LEAVE_MS = 50;

const repeated = (count: number, text: (at: number) => string) =>
  Array.from({ length: count }, (_, at) => text(at)).join(" ");
const jsonOf = (query: string, variables?: unknown) => JSON.stringify({ query, variables });

const post = (victim: Victim, body: string) => postBytes("/graphql", victim.authorization, body);
const sse = (victim: Victim, body: string) =>
  Buffer.from(post(victim, body).toString().replace("accept: application/json", "accept: text/event-stream"));

// As much as fits into the 1,000 tokens of a document.
const EVENT = "fragment Event on CallEnded { cursor sessionId caller callee startAt endAt hangupReason }";
const PAGE = `${EVENT} { callEndedEvents(first: 100) { nodes { ...Event } } }`;
const PAGES = `${EVENT} { ${repeated(60, (at) => `e${at}: callEndedEvents(first: 100) { nodes { ...Event } }`)} }`;
const counted = (at: number, fragment: string) => `s${at}: callStats(filter: { taskIds: ${at} }) { ...${fragment} }`;
const SCANS = `fragment All on CallStats { calls numbersCalled byHangupReason(first: 5) { calls } byHangupSide { calls }
  byTask(first: 5) { calls } byAssistant(first: 5) { calls } timeline(bucket: DAY) { calls } }
  { ${repeated(50, (at) => counted(at, "All"))} }`;
const TIMELINES = `fragment Minutes on CallStats { timeline(bucket: MINUTE) { calls answered } }
  { ${repeated(60, (at) => `t${at}: callStats(filter: { until: "2030-01-01T00:00:${String(at).padStart(2, "0")}Z" }) { ...Minutes }`)} }`;
const REPLAY = `${EVENT} subscription ($after: String) { callEnded(after: $after) { ...Event } }`;

function creating(name: keyof typeof taskBodies): Attack {
  return {
    transport: "HTTP",
    scopes: CREATOR,
    begin(victim) {
      const body = post(victim, (taskBodies[name] as () => string)());
      flood(victim, { connections: 2, bytes: () => body });
    },
  };
}

const asking = (query: string, options: { connections: number; pace?: Pace; leaveMs?: number }): Attack => ({
  transport: "HTTP",
  scopes: READER,
  begin(victim) {
    const bytes = post(victim, jsonOf(query));
    flood(victim, { ...options, bytes: () => bytes });
  },
});

/** From the oldest event on. */
function replaying(options: { connections: number; pace?: Pace; leaveMs?: number }): Attack {
  async function begin(victim: Victim): Promise<void> {
    const response = await fetch(`${victim.url}/graphql`, {
      method: "POST",
      headers: { "content-type": "application/json", authorization: victim.authorization },
      body: jsonOf("{ callEndedEvents(first: 1) { nodes { cursor } } }"),
    });
    const { data } = (await response.json()) as { data: { callEndedEvents: { nodes: { cursor: string }[] } } };
    const bytes = sse(victim, jsonOf(REPLAY, { after: data.callEndedEvents.nodes[0]?.cursor }));
    flood(victim, { ...options, bytes: () => bytes });
  }
  return { transport: "SSE", scopes: READER, begin: (victim) => void begin(victim) };
}

export const attacks: Record<string, Attack> = {
  "GraphiQL's page, pipelined and unread": {
    transport: "HTTP",
    scopes: null,
    begin(victim) {
      const get = "GET /graphql HTTP/1.1\r\nhost: x\r\naccept: text/html\r\n\r\n";
      const host = new URL(victim.url).host;
      const bytes = Buffer.from(get.replace("host: x", `host: ${host}`).repeat(20));
      flood(victim, { connections: 20, bytes: () => bytes, pace: "never", leaveMs: 2000 });
    },
  },
  "forged tokens while the identity provider is down": {
    transport: "HTTP",
    scopes: null,
    begin(victim) {
      const part = (value: unknown) => Buffer.from(JSON.stringify(value)).toString("base64url");
      const token = () => `${part({ alg: "ES256", kid: String(Math.random()) })}.${part({ sub: "a" })}.c2ln`;
      flood(victim, {
        connections: 8,
        bytes: () => postBytes("/graphql", `Bearer ${token()}`, jsonOf("{ __typename }")),
      });
    },
  },
  "messages of 64 KiB before connection_init": {
    transport: "WebSocket",
    scopes: null,
    begin(victim) {
      const message = `[${"0,".repeat(32_000)}0]`;
      sockets(victim, 20, (socket) => {
        for (let at = 0; at < 20; at += 1) socket.send(message);
      });
    },
  },
  "sockets that leave before connection_init": {
    transport: "WebSocket",
    scopes: null,
    begin: (victim) => sockets(victim, 100, (socket) => socket.terminate()),
  },
  "a name of a million letters over a page": asking(
    `{ callEndedEvents(first: 100) { nodes { ${"n".repeat(1_000_000)}: sessionId } } }`,
    { connections: 2 },
  ),
  "pages of the log, read a byte a second": asking(PAGES, {
    connections: 200,
    pace: { byteEveryMs: 1000 },
  }),
  "60 timelines in one request": asking(TIMELINES, { connections: 4 }),
  "scans that are left after 100 ms": asking(SCANS, { connections: 20, leaveMs: 100 }),
  "60 pages of the log in one request": asking(PAGES, { connections: 8 }),
  "operations that are left at once": {
    transport: "WebSocket",
    scopes: READER,
    begin: (victim) =>
      sockets(
        victim,
        20,
        begun(victim, (ask, socket) => {
          for (let at = 0; at < 20; at += 1) ask(SCANS);
          setTimeout(() => socket.terminate(), LEAVE_MS);
        }),
      ),
  },
  "answers that are never read": {
    transport: "WebSocket",
    scopes: READER,
    begin: (victim) =>
      sockets(
        victim,
        50,
        begun(victim, (ask, socket) => {
          socket.pause();
          for (let at = 0; at < 20; at += 1) ask(PAGE);
        }),
      ),
  },
  "replays of the whole log, left after 100 ms": replaying({ connections: 50, leaveMs: 100 }),
  "replays of the whole log, never read": replaying({ connections: 200, pace: "never" }),
  ...Object.fromEntries(Object.keys(taskBodies).map((name) => [`createTask: ${name}`, creating(name)])),
  "createTask over WebSocket": {
    transport: "WebSocket",
    scopes: CREATOR,
    begin: (victim) =>
      sockets(
        victim,
        20,
        begun(victim, (ask) => {
          const { query, variables } = createTask(Array.from({ length: 2000 }, () => ({ number: "+12025550101" })));
          for (let at = 0; at < 20; at += 1) ask(query, variables);
        }),
      ),
  },
};
