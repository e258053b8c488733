// A command of `switchboard`: its help, its options, and what it runs.
import type { ParseArgsOptionsConfig } from "node:util";
import { loadEnvFile } from "../config/envFile.ts";
import { readOptions, UsageError, type Values } from "./options.ts";
import { print } from "./output.ts";

export interface Command {
  /** Its section of the help text. */
  usage: string;
  run(args: readonly string[]): Promise<number>;
}

export const flag = { type: "boolean", default: false } as const;
export const text = { type: "string" } as const;

/** The environment, with the variables of `.env`. Read where a command needs it, so that a bad file does not keep help away. */
export function settings() {
  const envFile = loadEnvFile(process.env);
  return { env: process.env, envFile };
}

/** `operands`: the names of the arguments that the command needs, in order. */
export function command<O extends ParseArgsOptionsConfig>(
  usage: string,
  options: O,
  run: (values: Values<O>, operands: readonly string[]) => Promise<number>,
  operands: readonly string[] = [],
): Command {
  return {
    usage,
    async run(args) {
      const { values, positionals, wantsHelp } = readOptions(args, options);
      if (wantsHelp) return show(helpFor(usage));
      const missing = operands[positionals.length];
      if (missing !== undefined) throw new UsageError(`${missing} is needed.`);
      if (positionals.length > operands.length) throw new UsageError("Unexpected argument after the command.");
      return run(values, positionals);
    },
  };
}

/** The help of one command. */
export function helpFor(usage: string): string {
  return `switchboard ${usage.trimStart()}\n`;
}

export function show(text: string): number {
  print(text);
  return 0;
}
