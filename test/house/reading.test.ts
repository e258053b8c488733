import { isObjectType } from "graphql";
import { describe, expect, it } from "vitest";
import { schema } from "../../src/schema/schema.ts";
import { sourcesIn } from "./sources.ts";

/** What leads to the database, as a resolver is given it: by its name in the context, or by a part of the context. */
const STORES =
  "events|stats|quarantine|recordings|forgetPhone|reprocess|knownTasks|assistants|submissions|known|inTurn|taskProgress";
const LEADS_TO_STORE = new RegExp(
  `context\\.(?:${STORES})\\b|\\{[^{}]*\\b(?:${STORES})\\b[^{}]*\\}(?:: (?:Pick<)?Context|\\) =>)`,
);

/** The text of each function of the resolvers, by name: up to the next that starts a line. */
const functions = new Map(
  sourcesIn("src/resolvers").flatMap(({ text }) =>
    text
      .split(/\n(?=(?:export )?(?:async )?function |(?:export )?const |(?:export )?interface |(?:export )?type )/)
      .flatMap((part): [string, string][] => {
        const name = /^(?:export )?(?:(?:async )?function\*? |const )(\w+)/.exec(part)?.[1];
        return name === undefined ? [] : [[name, part]];
      }),
  ),
);

function mayRead(text: string, seen = new Set<string>()): boolean {
  if (LEADS_TO_STORE.test(text)) return true;
  const called = [...text.matchAll(/(\w+)(?=\)?\()|\b(lookups)\b/g)].map(([name]) => name);
  return called.some((name) => {
    const body = seen.has(name) ? undefined : functions.get(name);
    seen.add(name);
    return body !== undefined && mayRead(body, seen);
  });
}

const fields = Object.values(schema.getTypeMap())
  .filter((type) => isObjectType(type) && !type.name.startsWith("__"))
  .flatMap((type) => Object.values(isObjectType(type) ? type.getFields() : {}).map((field) => ({ type, field })));
/** A method of the objects that callStats and gateway give reads when it is called. */
const METHODS = /(?:stats|log|status)\.(?:\w+)\(/;
const reads = ({ field }: (typeof fields)[number]) => {
  const text = `${field.resolve?.toString() ?? ""} ${field.subscribe?.toString() ?? ""}`;
  return METHODS.test(text) || mayRead(text);
};
const named = (some: typeof fields) => some.map(({ type, field }) => `${type.name}.${field.name}`);

const READ_NOTHING = [
  // They make an object whose fields read, and each of those has its own mark.
  "Query.callStats",
  "Task.callStats",
  "Query.gateway",
  // They look like what they are not: the service told the one, and the other is signed.
  "Task.assistant",
  "Recording.url",
];

describe("what an operation reads of the database is known before it runs", () => {
  it("gives each field whose resolver may read a mark (rows and scans in schema/builder.ts)", () => {
    const silent = fields.filter(({ field }) => field.extensions["reads"] === undefined).filter(reads);
    expect(named(silent).filter((name) => !READ_NOTHING.includes(name))).toEqual([]);
  });

  it("recognizes the resolvers that read", () => {
    const loud = fields.filter(({ field }) => field.extensions["reads"] !== undefined).filter(reads);
    expect(named(loud)).toEqual(
      expect.arrayContaining([
        "Query.callEndedEvents",
        "Query.callEnded",
        "Query.node",
        "Query.tasks",
        "Query.taskSubmissions",
        "Query.quarantinedDeliveries",
        "CallEnded.recording",
        "CallAssistant.assistant",
        "CallStats.calls",
        "CallStats.timeline",
        "EventLogStatus.events",
        "GatewayStatus.recordings",
        "Subscription.recordingSettled",
      ]),
    );
  });
});
