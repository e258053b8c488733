// The command line of a benchmark: its usage is printed where that is asked for, or where the line cannot be understood.
import type { ParseArgsOptionsConfig } from "node:util";
import { EXIT_USAGE, readOptions, UsageError, type Values } from "../../src/commands/options.ts";

export interface Benchmarks<O extends ParseArgsOptionsConfig> {
  /** Such as `npm run bench`. */
  run: string;
  names: readonly string[];
  options: O;
  /** How the options are written. */
  written: string;
}

export interface Chosen<O extends ParseArgsOptionsConfig> {
  values: Values<O>;
  /** All of them where none was named. */
  isChosen(name: string): boolean;
  /** Ends the process with the usage. */
  refuse(problem: string): never;
}

export function readCommandLine<O extends ParseArgsOptionsConfig>(benchmarks: Benchmarks<O>): Chosen<O> {
  const { run, names, options, written } = benchmarks;
  const usage = `Usage: ${run} -- [NAME…] ${written}\n\nNames: ${names.join(", ")}; without one, all.`;
  const refuse = (problem: string): never => {
    console.error(`${problem}\n\n${usage}`);
    process.exit(EXIT_USAGE);
  };
  const read = () => {
    try {
      return readOptions(process.argv.slice(2), options);
    } catch (error) {
      if (error instanceof UsageError) return refuse(error.message);
      throw error;
    }
  };
  const { values, words, asksForHelp } = read();
  if (asksForHelp) {
    console.log(usage);
    process.exit(0);
  }
  const unknown = words.filter((name) => !names.includes(name));
  if (unknown.length > 0) refuse(`There is no ${unknown.join(", ")}.`);
  return { values, isChosen: (name) => words.length === 0 || words.includes(name), refuse };
}
