import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { UnreadField } from "../../src/format/fieldReader.ts";
import { parseExact } from "../../src/format/exactJson.ts";
import { createRowReader, readCallLogPage } from "../../src/upstream/models/readCallLogPage.ts";
import { parseTask, readTask } from "../../src/upstream/models/readTask.ts";
import { createParseCallEnded } from "../../src/webhook/parse.ts";
import { eventData } from "../webhook/delivery.ts";
import { wholeTask } from "./service.ts";

const ZONE = "Asia/Shanghai";

type Shape = Record<string, unknown>;

interface Model {
  /** The service's JSON. */
  whole: Shape;
  /** The keys that identify the object: an unreadable value there is an error. */
  identity: readonly string[];
  read: (json: string) => Shape & { unread: readonly UnreadField[] };
}

const row = {
  sessionId: "s-1",
  taskId: 7,
  startAt: "2026-11-20 09:30:00",
  answerAt: "2026-11-20 09:30:05",
  endAt: "2026-11-20 09:31:00",
  callee: "A1",
  caller: "A068",
  direction: "outbound",
  duration: 30,
  billsec: 25,
  recordFile: "/records/s-1.wav",
  assistant: [{ id: 4, vid: 5 }],
};

const ofPart =
  (part: "option" | "assistant"): Model["read"] =>
  (json) => {
    const whole: Shape = wholeTask();
    const text = JSON.stringify({ ...whole, [part]: "@@" }).replace('"@@"', () => json);
    const task = readTask(parseTask(text), "7", ZONE);
    return { ...task[part](), unread: task.unread() };
  };

const models: Record<string, Model> = {
  "a row of the call log": {
    whole: row,
    identity: [],
    read: (json) => ({ ...createRowReader(ZONE)(parseExact(json), 0) }),
  },
  "a task": {
    whole: wholeTask(),
    identity: ["id"],
    read(json) {
      const { option: _, assistant: _assistant, unread, ...task } = readTask(parseTask(json), "7", ZONE);
      return { ...task, unread: unread() };
    },
  },
  "a task's option": { whole: wholeTask().option, identity: [], read: ofPart("option") },
  "a task's assistant": { whole: wholeTask().assistant, identity: ["id", "versionId"], read: ofPart("assistant") },
  "an event": {
    whole: { ...eventData, extra: { name: "Li" } },
    identity: ["session_id"],
    read(json) {
      const parsed = createParseCallEnded(ZONE)(Buffer.from(`{"event_name":"call_ended","event_data":${json}}`));
      if ("unreadable" in parsed) throw new Error(parsed.unreadable);
      return { ...parsed.call };
    },
  },
};

const ODD = [
  "{}",
  '{"a":[{}]}',
  "[]",
  "[[]]",
  "[null]",
  "[{}]",
  "true",
  "1.5",
  "1e400",
  '"\\u0000"',
  '"odd"',
  "null",
  '""',
];
/** Keys that the record does not show: the parts of a task have their own models, and the token is a secret. */
const UNSHOWN: readonly string[] = ["option", "assistant", "websocketToken"];
const cases = Object.entries(models).flatMap(([name, { whole }]) =>
  Object.keys(whole).map((field) => [name, field] as const),
);

describe("a field of the wrong type", () => {
  it.each(cases)("costs only itself in %s: %s", (name, field) => {
    const { whole, identity, read } = models[name] as Model;
    const { unread: _, ...before } = read(JSON.stringify(whole));
    for (const odd of ODD) {
      const json = JSON.stringify({ ...whole, [field]: "@@" }).replace('"@@"', () => odd);
      if (identity.includes(field) && odd !== '"odd"') {
        expect(() => read(json), odd).toThrow();
        continue;
      }
      if (identity.includes(field)) continue;
      const { unread, ...after } = read(json);
      const changed = Object.keys(before).filter((key) => JSON.stringify(before[key]) !== JSON.stringify(after[key]));
      // A task shows its assistant's version outside of the assistant too.
      const own = changed.filter((key) => key !== "assistantRef");
      expect(own.length, `${odd}: ${own.join()}`).toBeLessThanOrEqual(1);
      const isUnused =
        own.length === 0 && unread.length === 0 && !(name !== "a row of the call log" && UNSHOWN.includes(field));
      const isLost = own.some((key) => isNothing(after[key])) && unread.length === 0;
      if (isLost || isUnused)
        expect(["null", '""', "[]", "[null]", "{}", "[[]]", '{"a":[{}]}', "[{}]"], odd).toContain(odd);
      if (unread.length > 0)
        expect(
          new Set(unread.map((note) => note.field.replace(/^(option|assistant)\./, "").replace(/[[.].*/, ""))).size,
        ).toBe(1);
    }
  });
});

describe("a page of the call log", () => {
  const page = { items: [row, row], total: 2, pageIndex: 1, pageSize: 10 };

  it.each(Object.keys(row))("keeps all rows, whatever one of them has as its %s", (field) => {
    for (const odd of ODD) {
      const json = JSON.stringify({ ...page, items: [{ ...row, [field]: "@@" }, row] }).replace('"@@"', () => odd);
      expect(readCallLogPage(parseExact(json), ZONE).rows, odd).toHaveLength(2);
    }
  });

  it("reads each row as if it were alone, whatever assistants the rows before it have", () => {
    const ref = fc.record({ id: fc.constantFrom(1, "1", 2, null, undefined, -1), vid: fc.constantFrom(3, 4, "x") });
    const assistant = fc.oneof(fc.array(fc.oneof(ref, fc.constant(null)), { maxLength: 2 }), fc.constant(null), ref);
    fc.assert(
      fc.property(fc.array(assistant, { maxLength: 6 }), (assistants) => {
        const items = assistants.map((each) => ({ ...row, assistant: each }));
        const alone = items.map((item) => createRowReader(ZONE)(item, 0));
        expect(readCallLogPage({ ...page, items }, ZONE).rows).toEqual(alone);
      }),
      { numRuns: 500 },
    );
  });

  it.each(Object.keys(page))("is an error if its %s is unreadable", (field) => {
    for (const odd of ["{}", "true", '"odd"', "-1.5"]) {
      const json = JSON.stringify({ ...page, [field]: "@@" }).replace('"@@"', () => odd);
      expect(() => readCallLogPage(parseExact(json), ZONE), odd).toThrow(
        expect.objectContaining({ code: "UPSTREAM_CONTRACT" }),
      );
    }
  });
});

function isNothing(value: unknown): boolean {
  return value === null || (Array.isArray(value) && value.length === 0);
}
