// `npm run test:fuzz`: feeds each reader with changed texts of the corpus, in turns and with new seeds, for ten minutes. Ends with 1 if a
// reading is wrong or takes too long, and prints the text and the seed. Readers run in a thread, which is ended where one of them hangs.
import { setTimeout as pause } from "node:timers/promises";
import { parseArgs } from "node:util";
import { isMainThread, parentPort, Worker, workerData } from "node:worker_threads";
import { fuzz } from "../test/fuzz/target.ts";
import { targets } from "../test/fuzz/targets.ts";

/** The turn of one reader in a round. */
const TURN_MS = 2000;
/** Milliseconds of the thread's processor time, so that a loaded machine finds no fault. */
const HANGS_MS = 20_000;
const POLL_MS = 200;

interface Turn {
  kind: string;
  seed: number;
  runs: number;
  fault: { text: string; reason: string } | null;
}

if (isMainThread) await main();
else await work();

async function work(): Promise<void> {
  const { kinds, seed: first, minutes } = workerData as { kinds: string[]; seed: number; minutes: number };
  const endsAt = performance.now() + minutes * 60_000;
  const left = new Set(targets.filter(({ kind }) => kinds.includes(kind)));
  for (let seed = first; performance.now() < endsAt && left.size > 0; seed += 1) {
    for (const target of left) {
      const timeMs = Math.min(TURN_MS, endsAt - performance.now());
      if (timeMs <= 0) return;
      parentPort?.postMessage({ kind: target.kind, seed, runs: 0, fault: null } satisfies Turn);
      const { runs, fault } = await fuzz(target, { seed, runs: Number.MAX_SAFE_INTEGER, timeMs });
      parentPort?.postMessage({ kind: target.kind, seed, runs, fault } satisfies Turn);
      if (fault) left.delete(target);
    }
  }
}

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      minutes: { type: "string", default: "10" },
      /** Only readers of a kind that has this text. */
      only: { type: "string", default: "" },
      /** The seed of the first round. The next rounds have the next ones. */
      seed: { type: "string", default: String(Date.now() % 1_000_000_000) },
    },
  });
  const say = (text: string) => process.stdout.write(`${text}\n`);
  const kinds = targets.map(({ kind }) => kind).filter((kind) => kind.includes(values.only));
  if (kinds.length === 0) throw new Error(`No reader's kind has the text ${values.only}.`);
  const endsAt = performance.now() + Number(values.minutes) * 60_000;
  const counts = new Map(kinds.map((kind) => [kind, 0]));
  const faulty = new Set<string>();
  const fail = ({ kind, seed }: Turn, what: string) => {
    faulty.add(kind);
    say(`${kind}: ${what} (--seed ${seed} --only "${kind}")`);
  };

  /** False: a reader hung. */
  async function run(seed: number): Promise<boolean> {
    const left = kinds.filter((kind) => !faulty.has(kind));
    const minutes = (endsAt - performance.now()) / 60_000;
    const worker = new Worker(new URL(import.meta.url), { workerData: { kinds: left, seed, minutes } });
    const over = Promise.withResolvers<void>();
    let last: Turn | null = null;
    let startedAtMs = 0;
    const processorMs = async () => {
      const { user, system } = await worker.cpuUsage();
      return (user + system) / 1000;
    };
    worker.on("message", (turn: Turn) => {
      last = turn;
      counts.set(turn.kind, (counts.get(turn.kind) ?? 0) + turn.runs);
      if (turn.fault) fail(turn, `${JSON.stringify(turn.fault.text)} ${turn.fault.reason}`);
      processorMs().then(
        (ms) => (startedAtMs = ms),
        () => undefined,
      );
    });
    worker.on("error", over.reject);
    worker.on("exit", () => over.resolve());
    const isOver = over.promise.then(() => true);
    while (!(await Promise.race([isOver, pause(POLL_MS, false)]))) {
      const usedMs = (await processorMs().catch(() => startedAtMs)) - startedAtMs;
      const isHanging = usedMs > HANGS_MS;
      if (isHanging && last) fail(last, `a reading took more than ${(HANGS_MS - TURN_MS) / 1000} s of processor time`);
      // The turn at the end may take longer than its share where the machine has no time for it.
      if (!isHanging && performance.now() < endsAt + TURN_MS) continue;
      await worker.terminate();
      return !isHanging;
    }
    return true;
  }

  let seed = Number(values.seed);
  while (!(await run(seed)) && faulty.size < kinds.length && performance.now() < endsAt) seed += 1000;
  for (const [kind, runs] of counts) say(`${kind}: ${runs} texts${faulty.has(kind) ? ", A FAULT" : ""}`);
  if (faulty.size > 0) process.exitCode = 1;
}
