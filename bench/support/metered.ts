// Starts programs to measure, each as its own process that reports its resource usage (meter.js).
import { fileURLToPath } from "node:url";
import { startProgram, type Environment, type Program } from "../../test/support/program.ts";

export interface Reading {
  /** Of all its threads, the collector of garbage included. */
  cpuMs: number;
  /** How late a timer ran at the worst: so long something else held the event loop. */
  latestTurnMs: number;
  /** How late a timer runs that is due at any moment, in all but one of a hundred cases. */
  delayP99Ms: number;
  memoryMb: number;
  /** The most there was since it began. */
  mostMemoryMb: number;
}

export interface Metered extends AsyncDisposable {
  url: string;
  pid: number | undefined;
  /** What was used since the last reading. */
  meter(): Promise<Reading>;
  /** Ends it as its users do; throws where it does not end well. */
  stop(): Promise<void>;
}

const METER = fileURLToPath(new URL("meter.js", import.meta.url));

/** `urlOf` waits until the program listens. */
export async function startMetered(
  args: readonly string[],
  env: Environment,
  urlOf: (program: Program) => Promise<string>,
): Promise<Metered> {
  const program = startProgram(["--import", METER, ...args], env);
  const url = await urlOf(program).catch(async (error: unknown) => {
    await program[Symbol.asyncDispose]();
    throw error;
  });
  let readings = 0;
  return {
    url,
    pid: program.process.pid,
    async meter() {
      readings += 1;
      const number = readings;
      program.process.kill("SIGUSR2");
      return (await program.line((line) => line["number"] === number)) as unknown as Reading;
    },
    async stop() {
      program.process.kill("SIGTERM");
      const code = await program.exited;
      if (code !== 0) throw new Error(`the program ended with ${code}: ${program.stderr()}`);
    },
    [Symbol.asyncDispose]: () => program[Symbol.asyncDispose](),
  };
}

/** One of bench/programs: it writes `{"url"}` when it listens. */
export function startBare(
  name: string,
  args: readonly string[] = [],
  options: readonly string[] = [],
): Promise<Metered> {
  return startTelling([...options, fileURLToPath(new URL(`../programs/${name}.ts`, import.meta.url)), ...args]);
}

/** One of bench/peers, which has to be installed. */
export function startPeer(name: string, args: readonly string[], options: readonly string[]): Promise<Metered> {
  const file = fileURLToPath(new URL(`../peers/servers/${name}.ts`, import.meta.url));
  return startTelling([...options, file, ...args]);
}

function startTelling(args: readonly string[]): Promise<Metered> {
  return startMetered(args, {}, async (program) => {
    const { url } = await program.line((line) => typeof line["url"] === "string");
    return url as string;
  });
}
