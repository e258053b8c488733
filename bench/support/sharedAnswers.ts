// Attacks by work that goes on after an answer: many operations wait for one answer of the service, in one piece or in parts, and
// many unreadable deliveries for one commit.
import { WEBHOOK_AUTHORIZATION } from "../../test/support/sandbox.ts";
import { flood, type Attack } from "./attackTools.ts";
import { postBytes } from "./connection.ts";

const FIELDS = "taskId direction caller callee startAt answerAt endAt duration answered";
const LIST = `fragment Page on CallLogConnection { totalCount nodes { sessionId ${FIELDS} } }`;
/** Lists that all clients share: ten requests to the service, however many aliases there are. */
const lists = (count: number) => {
  const aliases = Array.from({ length: count }, (_, at) => `l${at}: callLogs(first: ${100 - (at % 10)}) { ...Page }`);
  return `${LIST} { ${aliases.join(" ")} }`;
};
const PARTS = `{ callLogs(first: 100) { totalCount nodes { sessionId ... @defer { ${FIELDS} } } } }`;

const asking = (query: string, connections: number): Attack => ({
  transport: "HTTP",
  scopes: ["calls:read"],
  begin(victim) {
    const asked = postBytes("/graphql", victim.authorization, JSON.stringify({ query }));
    flood(victim, { connections, bytes: () => asked });
  },
});

const askingInParts: Attack = {
  transport: "HTTP",
  scopes: ["calls:read"],
  begin(victim) {
    // The parts have no length, so the end of the connection ends them.
    const body = JSON.stringify({ query: PARTS });
    const bytes = postBytes("/graphql", victim.authorization, body, ["connection: close"]);
    const asked = Buffer.from(bytes.toString().replace("accept: application/json", "accept: multipart/mixed"));
    flood(victim, { connections: 100, bytes: () => asked });
  },
};

/** A sender that holds the secret of webhooks, and sends what is no event. */
const unreadable: Attack = {
  transport: "HTTP",
  scopes: null,
  begin(victim) {
    let sent = 0;
    const filler = "x".repeat(250_000);
    const next = () => postBytes("/calllog", WEBHOOK_AUTHORIZATION, JSON.stringify({ sent: (sent += 1), filler }));
    flood(victim, { connections: 16, bytes: next });
  },
};

export const sharedAnswers: Record<string, Attack> = {
  "ten shared lists in each of 1,000 requests": asking(lists(10), 1000),
  "60 shared lists in each of 700 requests": asking(lists(60), 700),
  "@defer on each of 100 rows in each of 100 requests": askingInParts,
  "unreadable deliveries of 250 kB with the secret of webhooks": unreadable,
};
