// Parses the command line of a benchmark. Prints the usage for --help and for a mistake.
import type { ParseArgsOptionsConfig } from "node:util";
import { readOptions, UsageError, type Values } from "../../src/commands/options.ts";
import { exitCodes } from "../../src/util/start/exitCodes.ts";

export interface Benchmarks<O extends ParseArgsOptionsConfig> {
  /** The command, such as `npm run bench`. */
  run: string;
  names: readonly string[];
  options: O;
  /** The options as the usage shows them. */
  written: string;
}

export interface Selection<O extends ParseArgsOptionsConfig> {
  values: Values<O>;
  /** True for every benchmark if the command line names none. */
  isChosen(name: string): boolean;
  /** Prints the problem and the usage, and ends the process. */
  refuse(problem: string): never;
}

export function readCommandLine<O extends ParseArgsOptionsConfig>(benchmarks: Benchmarks<O>): Selection<O> {
  const { run, names, options, written } = benchmarks;
  const usage = `Usage: ${run} -- [NAME…] ${written}\n\nNames: ${names.join(", ")}. Default: all.`;
  const refuse = (problem: string): never => {
    console.error(`${problem}\n\n${usage}`);
    process.exit(exitCodes.usage);
  };
  const read = () => {
    try {
      return readOptions(process.argv.slice(2), options);
    } catch (error) {
      if (error instanceof UsageError) return refuse(error.message);
      throw error;
    }
  };
  const { values, positionals, wantsHelp } = read();
  if (wantsHelp) {
    console.log(usage);
    process.exit(0);
  }
  const unknown = positionals.filter((name) => !names.includes(name));
  if (unknown.length > 0) refuse(`Unknown benchmark: ${unknown.join(", ")}.`);
  return { values, isChosen: (name) => positionals.length === 0 || positionals.includes(name), refuse };
}
