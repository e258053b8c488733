// Attacks on a gateway by one client, each an endless loop.
import type { Scope } from "../../src/auth/scopes.ts";
import { begun, flood, sockets, type Attack, type Pace, type Victim } from "./attackTools.ts";
import { postBytes } from "./connection.ts";
import { playsAndCallbacks } from "./playsAndCallbacks.ts";
import { sharedAnswers } from "./sharedAnswers.ts";
import { checkTask, createTask, taskBodies } from "./taskBodies.ts";

const READER: readonly Scope[] = ["calls:read"];
const CREATOR: readonly Scope[] = ["tasks:create"];
const LEAVE_MS = 50;

const repeated = (count: number, text: (at: number) => string) =>
  Array.from({ length: count }, (_, at) => text(at)).join(" ");
const jsonOf = (query: string, variables?: unknown) => JSON.stringify({ query, variables });

const post = (victim: Victim, body: string) => postBytes("/graphql", victim.authorization, body);
const sse = (victim: Victim, body: string) =>
  Buffer.from(post(victim, body).toString().replace("accept: application/json", "accept: text/event-stream"));

/** A token of a signing key that nobody has heard of. */
function forged(): string {
  const part = (value: unknown) => Buffer.from(JSON.stringify(value)).toString("base64url");
  return `Bearer ${part({ alg: "ES256", kid: String(Math.random()) })}.${part({ sub: "a" })}.c2ln`;
}

// As much as fits into LOG_BUDGET.
const EVENT = "fragment Event on CallEnded { cursor sessionId caller callee startAt endAt hangupReason }";
const PAGE = `${EVENT} { callEndedEvents(first: 100) { nodes { ...Event } } }`;
const pages = (count: number) =>
  `${EVENT} { ${repeated(count, (at) => `e${at}: callEndedEvents(first: ${99 - (at % 50)}) { nodes { ...Event } }`)} }`;
const PAGES = pages(24);
const counted = (at: number, fragment: string) => `s${at}: callStats(filter: { taskIds: ${at} }) { ...${fragment} }`;
const SCANS = `fragment All on CallStats { calls numbersCalled byHangupReason(first: 5) { calls } byHangupSide { calls }
  byTask(first: 5) { calls } byAssistant(first: 5) { calls } timeline(bucket: DAY) { calls } }
  { ${repeated(30, (at) => counted(at, "All"))} }`;
const TIMELINES = `fragment Minutes on CallStats { timeline(bucket: MINUTE) { calls answered } }
  { ${repeated(24, (at) => `t${at}: callStats(filter: { until: "2030-01-01T00:00:${String(at).padStart(2, "0")}Z" }) { ...Minutes }`)} }`;
const REPLAY = `${EVENT} subscription ($after: String) { callEnded(after: $after) { ...Event } }`;

const STATISTICS_OF_EACH = (at: number) =>
  `subscription { callEnded(filter: { until: "${2030 + at}-01-01T00:00:00Z" }) { task { callStats { calls numbersCalled timeline(bucket: MINUTE) { calls } } } } }`;
const FULL_MESSAGE = `{ __typename } #${"x".repeat(60_000)}`;

function creating(name: keyof typeof taskBodies): Attack {
  return {
    transport: "HTTP",
    scopes: CREATOR,
    begin(victim) {
      const body = post(victim, (taskBodies[name] as () => string)());
      // One connection: with more, the budget of a caller refuses most bodies before they are parsed.
      flood(victim, { connections: 1, bytes: () => body });
    },
  };
}

const byMessages = ({ query, variables }: ReturnType<typeof createTask>): Attack => ({
  transport: "WebSocket",
  scopes: CREATOR,
  begin: (victim) =>
    sockets(
      victim,
      20,
      begun(victim, (ask) => {
        for (let at = 0; at < 20; at += 1) ask(query, variables);
      }),
    ),
});

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
  return { transport: "SSE", scopes: READER, begin };
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
      flood(victim, { connections: 8, bytes: () => postBytes("/graphql", forged(), jsonOf("{ __typename }")) });
    },
  },
  "forged tokens over WebSocket while the identity provider is down": {
    transport: "WebSocket",
    scopes: null,
    begin: (victim) =>
      sockets(victim, 20, (socket) =>
        socket.send(JSON.stringify({ type: "connection_init", payload: { authorization: forged() } })),
      ),
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
  "24 timelines in one request": asking(TIMELINES, { connections: 4 }),
  "scans that are left after 100 ms": asking(SCANS, { connections: 20, leaveMs: 100 }),
  "24 pages of the log in one request": asking(PAGES, { connections: 8 }),
  "60 pages of the log in one request, beyond LOG_BUDGET": asking(pages(60), { connections: 8 }),
  ...sharedAnswers,
  ...playsAndCallbacks,
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
  "messages of 60 KiB at full pace": {
    transport: "WebSocket",
    scopes: READER,
    begin: (victim) =>
      sockets(
        victim,
        20,
        begun(victim, (ask) => {
          for (let at = 0; at < 250; at += 1) ask(FULL_MESSAGE);
        }),
        1000,
      ),
  },
  "subscriptions that read statistics at each event, and come and go": {
    transport: "WebSocket",
    scopes: READER,
    begin: (victim) =>
      sockets(
        victim,
        20,
        begun(victim, (ask) => {
          for (let at = 0; at < 20; at += 1) ask(STATISTICS_OF_EACH(at));
        }),
        500,
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
  "large answers over SSE, never read": {
    transport: "SSE",
    scopes: READER,
    begin(victim) {
      const bytes = sse(victim, jsonOf(PAGES));
      flood(victim, { connections: 200, bytes: () => bytes, pace: "never" });
    },
  },
  "bodies of 16 MiB that are begun and not finished": {
    transport: "HTTP",
    scopes: CREATOR,
    begin(victim) {
      const whole = post(victim, " ".repeat(15 * 1024 * 1024));
      const most = whole.subarray(0, whole.length - 1);
      flood(victim, { connections: 40, bytes: () => most });
    },
  },
  "createTask over SSE": {
    transport: "SSE",
    scopes: CREATOR,
    begin(victim) {
      const bytes = sse(victim, (taskBodies["one number, as often as fits"] as () => string)());
      flood(victim, { connections: 2, bytes: () => bytes });
    },
  },
  ...Object.fromEntries(Object.keys(taskBodies).map((name) => [`createTask: ${name}`, creating(name)])),
  "createTask over WebSocket": byMessages(createTask(Array.from({ length: 2000 }, () => ({ number: "+12025550101" })))),
  "checkTask of 100,000 numbers": {
    transport: "HTTP",
    scopes: CREATOR,
    begin(victim) {
      const body = post(victim, JSON.stringify(checkTask(100_000)));
      flood(victim, { connections: 4, bytes: () => body });
    },
  },
  "checkTask over WebSocket": byMessages(checkTask(2000)),
};
