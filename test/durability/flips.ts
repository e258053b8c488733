// Flips one bit in the files of a store, and compares what the log answers then with what was written.
import { copyFileSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { CallEndedEvent } from "../../src/events/callEndedEvent.ts";
import { openEventLog, type EventLog } from "../../src/events/eventLog.ts";
import { createLogger } from "../../src/logger.ts";
import { createSigner } from "../../src/util/hmac.ts";
import { openStore } from "../../src/store/store.ts";
import { callEnded } from "../../bench/support/callEnded.ts";

export interface Flips extends AsyncDisposable {
  /** Flips the bit at that share (0 to 1) of all bits of the files, and opens them. */
  flip(files: "closed" | "killed", share: number): Promise<Outcome>;
}

export type Outcome =
  /** The store did not open, with one line as its error. */
  | "refused"
  /** An answer was an error or a gap, or the damage was logged. All other answers were right. */
  | "reported"
  /** All answers were as they were written. */
  | "harmless"
  | `wrong: ${string}`;

const EVENTS = 120;
const signer = createSigner(Buffer.alloc(32, 7));

async function openLog(file: string) {
  const errors: string[] = [];
  const log = createLogger({ level: "error", secrets: [], write: (line) => errors.push(line) });
  const store = await openStore({ url: `file:${file}`, log });
  const deps = {
    store: store.events,
    damagedPositions: store.damagedPositions,
    signer,
    clock: Date.now,
    checkpointMs: 1,
    log,
  };
  const events = await openEventLog(deps);
  const close = async () => (await events[Symbol.asyncDispose](), store[Symbol.asyncDispose]());
  return { events, errors, close };
}

/** Reads the log in each way. `answers` has a value for each way that did not fail; `isReported` if one failed or had a gap. */
async function answersOf(
  events: EventLog,
): Promise<{ answers: Map<string, unknown>; isReported: boolean; found: CallEndedEvent[] }> {
  const answers = new Map<string, unknown>();
  const found: CallEndedEvent[] = [];
  let isReported = false;
  const ask = async (name: string, question: () => Promise<readonly CallEndedEvent[]>) => {
    try {
      const events = await question();
      found.push(...events);
      answers.set(name, events);
    } catch {
      isReported = true;
    }
  };
  const page = { first: 1000, after: null, revisions: false, order: "newestFirst" } as const;
  await ask("all", async () => (await events.page({ ...page, filter: {}, revisions: true })).events);
  await ask("of task 3", async () => (await events.page({ ...page, filter: { taskIds: ["3"] } })).events);
  await ask("of assistant 2", async () => (await events.page({ ...page, filter: { assistantIds: ["2"] } })).events);
  await ask("inbound", async () => (await events.page({ ...page, filter: { direction: "inbound" } })).events);
  for (let at = 0; at < EVENTS; at += 1) {
    await ask(`call ${at}`, async () => [(await events.bySession(`call ${at}`)) as CallEndedEvent].filter(Boolean));
  }
  await ask("followed", async () => {
    const reader = await events.follow({ after: events.oldestCursor(), filter: {}, revisions: true });
    const received: CallEndedEvent[] = [];
    let idle = 0;
    while (idle < 2) {
      const { value } = await reader.next();
      idle = value.kind === "checkpoint" ? idle + 1 : 0;
      if (value.kind === "event") received.push(value.event);
      if (value.kind === "gap") isReported = true;
    }
    await reader.return?.();
    return received;
  });
  return { answers, isReported, found };
}

export async function prepareFlips(): Promise<Flips> {
  const folder = mkdtempSync(join(tmpdir(), "switchboard-flips-"));
  const at = (name: string) => join(folder, name);
  const written = await openLog(at("log.db"));
  for (let call = 0; call < EVENTS; call += 1) {
    const own = { taskId: String(call % 5), extra: { note: "x".repeat((call % 7) * 300) } };
    const assistants = [{ assistantId: String(call % 3), versionId: "1" }];
    const direction = call % 2 === 0 ? ("inbound" as const) : ("outbound" as const);
    await written.events.append({ ...callEnded(`call ${call}`), ...own, assistants, direction }, "WEBHOOK");
    // The store is opened again in the middle, so that the second half of the events is in a new write-ahead log.
    if (call === EVENTS / 2)
      await written.close().then(async () => Object.assign(written, await openLog(at("log.db"))));
  }
  for (const end of ["", "-wal"]) copyFileSync(at(`log.db${end}`), at(`killed.db${end}`));
  const original = await answersOf(written.events);
  const known = new Map(original.found.map((event) => [event.cursor, JSON.stringify(event)]));
  await written.close();
  copyFileSync(at("log.db"), at("closed.db"));

  async function outcomeOf(file: string): Promise<Outcome> {
    const opened = await openLog(file).catch((error: Error) => error);
    if (opened instanceof Error) return /\n/.test(opened.message) ? `wrong: refused by ${opened.message}` : "refused";
    const { answers, isReported, found } = await answersOf(opened.events);
    const damageReported = isReported || opened.errors.length > 0;
    await opened.close();
    const wrong = found.find((event) => known.get(event.cursor) !== JSON.stringify(event));
    if (wrong) return `wrong: it returned ${JSON.stringify(wrong)}`;
    const changed = [...original.answers].find(
      ([name, answer]) => JSON.stringify(answers.get(name)) !== JSON.stringify(answer),
    );
    if (damageReported) return "reported";
    return changed ? `wrong: ${changed[0]} changed` : "harmless";
  }

  return {
    async flip(files, share) {
      const copy = mkdtempSync(join(folder, "copy-"));
      const ends = ["", "-wal"].filter((end) => existsSync(at(`${files}.db${end}`)));
      const bytes = ends.map((end) => readFileSync(at(`${files}.db${end}`)));
      let bit = Math.floor(share * bytes.reduce((sum, { length }) => sum + length, 0) * 8);
      for (const [which, end] of ends.entries()) {
        const own = bytes[which] as Buffer;
        const byte = bit >> 3;
        if (bit >= 0 && byte < own.length) own[byte] = (own[byte] as number) ^ (1 << (bit & 7));
        bit -= own.length * 8;
        writeFileSync(join(copy, `log.db${end}`), own);
      }
      const outcome = await outcomeOf(join(copy, "log.db"));
      rmSync(copy, { recursive: true });
      return outcome;
    },
    async [Symbol.asyncDispose]() {
      rmSync(folder, { recursive: true });
    },
  };
}
