// `npm run bench:second-round`: chooses and checks the people of a second round on SQLite, as checkTask and createTask do before anything is
// sent. Measures the time, the longest time that the event loop was held, and the memory at its height. Ends with 1 if people are missing.
import { createHistogram, monitorEventLoopDelay, PerformanceObserver } from "node:perf_hooks";
import { callEnded } from "./support/callEnded.ts";
import { readCommandLine } from "./support/commandLine.ts";
import { printMachineFacts } from "./support/machineFacts.ts";
import { startRecipients } from "./support/startRecipients.ts";
import { openEventLog } from "../src/events/eventLog.ts";
import { RECIPIENTS } from "../src/projections/recipientProjection.ts";
import { createRecipientService } from "../src/projections/recipientService.ts";
import { openStore } from "../src/store/store.ts";
import { createChoosePeople } from "../src/tasks/callAgain/choosePeople.ts";
import { createExamineTask } from "../src/tasks/callAgain/examineTask.ts";
import { createCorrelationTokens } from "../src/tasks/correlationToken.ts";
import { createDoNotCallList } from "../src/tasks/doNotCallList.ts";
import { createTaskRules } from "../src/tasks/taskRules.ts";
import { createSigner } from "../src/util/hmac.ts";
import { createTimeSlices } from "../src/util/timeSlices.ts";
import { temporaryDirectory } from "../test/support/gateway.ts";
import { silentLog } from "../test/support/silentLog.ts";

const { values, refuse } = readCommandLine({
  run: "npm run bench:second-round",
  names: ["secondRound"],
  options: { people: { type: "string", default: "100000" } },
  written: "[--people 100000]",
});
const people = Number(values.people);
if (!(people >= 1 && people <= 100_000)) refuse("--people is from 1 to 100000.");

const BATCH = 500;
const LIMIT_MS = 3_600_000;
const MIB = 1024 * 1024;
const call = (at: number) => ({
  ...callEnded(`call-${String(at).padStart(10, "0")}`),
  taskId: "7",
  taskItemId: String(1 + at),
  callee: `+1202${String(2_000_000 + at).padStart(7, "0")}`,
  answerAt: null,
  billsec: 0,
  hangupReason: "no answer",
  extra: { name: "Li", age: "40", city: "Hangzhou" },
});

await printMachineFacts();
await using directory = await temporaryDirectory();
await using store = await openStore({ url: directory.database, log: silentLog });
const signer = createSigner(store.signingKey);
const clock = () => Date.now();
await using log = await openEventLog({ store: store.events, signer, clock, checkpointMs: 1e9, log: silentLog });
for (let from = 0; from < people; from += BATCH)
  await Promise.all(
    Array.from({ length: Math.min(BATCH, people - from) }, (_, at) => log.append(call(from + at), "WEBHOOK")),
  );
await using projections = startRecipients(store, log, signer);
await projections.waitFor(RECIPIENTS, log.markHead()(), LIMIT_MS);
const slices = createTimeSlices();
const upstream = { getTask: async () => null };
const doNotCall = createDoNotCallList({ store: store.doNotCall, queuedRead: store.queuedRead, slices, clock });
const examineTask = createExamineTask({
  rules: createTaskRules({ usage: store.usage, doNotCall, timeZone: "Asia/Shanghai", slices, clock }),
  choosePeople: createChoosePeople({
    store: store.callAgain,
    recipients: createRecipientService(store.recipients, projections),
    events: log,
    tokens: createCorrelationTokens(signer),
    upstream,
    signer,
    slices,
    clock,
  }),
  signer,
  store: store.callAgain,
  slices,
  clock,
});
const request = {
  name: "Second round",
  assistantId: "11",
  assistantOverride: null,
  option: {
    numberFileMeta: { number: 0, name: 1, gender: 2, salesPersonName: 3 },
    lineIds: ["60"],
    periods: [["09:00", "18:00"]],
    startDate: "2030-01-15",
    retryCount: 0,
    retryIntervalSeconds: 600,
  },
  numbers: [],
};
const viewer = { name: "bench", limits: { prefixes: ["+1"] } };
const load = async () => ({ status: "done" as const });
const from = { taskId: "7", filter: {}, load };

/** The longest turn of the event loop that timers saw, without pauses of the collector that are told apart. */
async function measure(): Promise<number> {
  globalThis.gc?.();
  const before = process.memoryUsage();
  let height = 0;
  const sampling = setInterval(() => (height = Math.max(height, process.memoryUsage.rss())), 20);
  const loop = monitorEventLoopDelay({ resolution: 1 });
  const pauses = createHistogram();
  const collector = new PerformanceObserver((list) => {
    for (const { duration } of list.getEntries()) pauses.record(Math.max(1, Math.round(duration * 1e6)));
  });
  collector.observe({ entryTypes: ["gc"] });
  loop.enable();
  const began = performance.now();
  const cpu = process.cpuUsage();
  const { errors, request: sent } = await examineTask(viewer, { request, skipsDoNotCall: false, from, proposal: null });
  const seconds = (performance.now() - began) / 1000;
  const { user, system } = process.cpuUsage(cpu);
  loop.disable();
  clearInterval(sampling);
  collector.disconnect();
  console.log(
    `${sent.numbers.length} people in ${seconds.toFixed(1)} s, ${((user + system) / people).toFixed(0)} µs of processor time each; ` +
      `event loop held for p99 ${(loop.percentile(99) / 1e6).toFixed(1)} ms, ${(loop.max / 1e6).toFixed(0)} ms at most ` +
      `(the collector: ${(pauses.max / 1e6).toFixed(0)} ms at most); memory rose by ${((height - before.rss) / MIB).toFixed(0)} MiB`,
  );
  if (errors.length > 0) console.log(errors);
  return sent.numbers.length;
}

const counts = [await measure(), await measure(), await measure()];
process.exitCode = counts.every((count) => count === people) ? 0 : 1;
