// Makes the recipients of a log on SQLite for the first time, and then anew beside the live ones, while calls are appended. Measures time and
// processor time for each event, and how long an append takes meanwhile.
import { callEnded } from "./callEnded.ts";
import { startRecipients } from "./startRecipients.ts";
import type { CallEndedData } from "../../src/events/callEndedEvent.ts";
import { openEventLog, type EventLog } from "../../src/events/eventLog.ts";
import { RECIPIENTS } from "../../src/projections/recipientProjection.ts";
import type { Projections } from "../../src/projections/startProjections.ts";
import { createQueryOwner } from "../../src/store/scheduling/queryOwner.ts";
import { openStore, type Store } from "../../src/store/store.ts";
import { createSigner } from "../../src/util/hmac.ts";
import { temporaryDirectory } from "../../test/support/gateway.ts";
import { silentLog } from "../../test/support/silentLog.ts";
import { until } from "../../test/support/until.ts";

type Print = (line: string) => void;

export interface Size {
  events: number;
  /** The different numbers among them. */
  numbers: number;
}

const BATCH = 500;
/** Between two appends beside the work. */
const PAUSE_MS = 10;
const TASKS = 5;
const LIMIT_MS = 3_600_000;

const callAt = (at: number, numbers: number, name = "call") => ({
  ...callEnded(`${name}-${String(at).padStart(10, "0")}`),
  taskId: String(1 + (at % TASKS)),
  taskItemId: String(1 + (at % numbers)),
  callee: `+1202${String(2_000_000 + (at % numbers)).padStart(7, "0")}`,
});

async function fill(log: EventLog, { events, numbers }: Size): Promise<void> {
  for (let from = 0; from < events; from += BATCH) {
    const some = Array.from({ length: Math.min(BATCH, events - from) }, (_, at) => callAt(from + at, numbers));
    await Promise.all(some.map((each) => log.append(each, "WEBHOOK")));
  }
}

/** Appends one call after the other until the work is done. Returns the longest time that one took. */
async function appendBeside(
  log: EventLog,
  work: Promise<unknown>,
  call: (at: number) => CallEndedData,
): Promise<{ appended: number; p99: number }> {
  const over = new AbortController();
  const done = work.finally(() => over.abort());
  const times: number[] = [];
  while (!over.signal.aborted) {
    const began = performance.now();
    await log.append(call(times.length), "WEBHOOK");
    times.push(performance.now() - began);
    await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
  }
  await done;
  times.sort((a, b) => a - b);
  return { appended: times.length, p99: times[Math.floor(times.length * 0.99)] ?? 0 };
}

async function measure(
  print: Print,
  what: string,
  log: EventLog,
  size: Size,
  work: () => Promise<unknown>,
): Promise<number> {
  const { events, numbers } = size;
  const began = performance.now();
  const before = process.cpuUsage();
  const { appended, p99 } = await appendBeside(log, work(), (at) => callAt(at, numbers, what.replaceAll(" ", "-")));
  const { user, system } = process.cpuUsage(before);
  const seconds = (performance.now() - began) / 1000;
  const cpu = (user + system) / (events + appended);
  print(
    `${what}: ${seconds.toFixed(1)} s, ${Math.round(events / seconds)} events/s, ${cpu.toFixed(0)} µs of processor time an event; ` +
      `${appended} appends beside it, p99 ${p99.toFixed(1)} ms`,
  );
  return appended;
}

async function attemptsIn({ recipients }: Store): Promise<number> {
  let sum = 0;
  for (let task = 1; task <= TASKS; task += 1) {
    const { found } = await recipients.counts(createQueryOwner("bench"), String(task));
    sum += found.reduce((all, { attempts }) => all + attempts, 0);
  }
  return sum;
}

const reachHead = (projections: Projections, log: EventLog) =>
  projections.waitFor(RECIPIENTS, log.markHead()(), LIMIT_MS);

/** `attempts`: the calls of all recipients at the end, of `total` calls in the log. */
export async function makeRecipients(size: Size, print: Print): Promise<{ attempts: number; total: number }> {
  await using directory = await temporaryDirectory();
  await using store = await openStore({ url: directory.database, log: silentLog });
  const signer = createSigner(store.signingKey);
  await using log = await openEventLog({
    store: store.events,
    signer,
    clock: Date.now,
    checkpointMs: 1e9,
    log: silentLog,
  });
  await fill(log, size);
  print(`${size.events} events, ${size.numbers} numbers, SQLite`);
  await using projections = startRecipients(store, log, signer);
  let total = size.events;
  total += await measure(print, "made for the first time", log, size, () => reachHead(projections, log));
  total += await measure(print, "made anew beside the live ones", log, size, async () => {
    await projections.rebuild(RECIPIENTS);
    await until(
      async () => (await projections.builds()).some(({ build, state }) => build === 2 && state === "LIVE"),
      LIMIT_MS,
    );
  });
  await reachHead(projections, log);
  return { attempts: await attemptsIn(store), total };
}
