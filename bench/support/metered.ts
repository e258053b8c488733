// Starts programs to measure, each as its own process that reports its resource usage (meter.js).
import { fileURLToPath } from "node:url";
import { startProgram, type Environment, type Program } from "../../test/support/program.ts";

export interface Reading {
  /** Processor time of all threads, including garbage collection. */
  cpuMs: number;
  /** The longest delay of a timer, which is the longest time that the event loop was blocked. */
  latestTurnMs: number;
  /** The 99th percentile of the delay of a timer that is due at a random moment. */
  delayP99Ms: number;
  memoryMb: number;
  /** The peak of its memory since it started. */
  mostMemoryMb: number;
}

export interface Metered extends AsyncDisposable {
  url: string;
  pid: number | undefined;
  /** Resource usage since the last call. */
  meter(): Promise<Reading>;
  /** Stops it with SIGTERM. Throws unless it exits with 0. */
  stop(): Promise<void>;
}

const METER = fileURLToPath(new URL("meter.js", import.meta.url));

/** `urlOf` waits until the program listens, and returns its URL. */
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

/** Starts a program of bench/programs. It prints `{"url"}` when it listens. */
export function startBare(
  name: string,
  args: readonly string[] = [],
  options: readonly string[] = [],
): Promise<Metered> {
  return startAndReadUrl([...options, fileURLToPath(new URL(`../programs/${name}.ts`, import.meta.url)), ...args]);
}

/** Starts a server of bench/peers, whose packages must be installed. */
export function startPeer(name: string, args: readonly string[], options: readonly string[]): Promise<Metered> {
  const file = fileURLToPath(new URL(`../peers/servers/${name}.ts`, import.meta.url));
  return startAndReadUrl([...options, file, ...args]);
}

function startAndReadUrl(args: readonly string[]): Promise<Metered> {
  return startMetered(args, {}, async (program) => {
    const { url } = await program.line((line) => typeof line["url"] === "string");
    return url as string;
  });
}
