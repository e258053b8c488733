// docs/reference/commands.md: each command with its options, from the help of the command line.
import { execFileSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { exitCodes } from "../../src/util/start/exitCodes.ts";
import { code, head, page, table } from "./markdown.ts";

interface Described {
  /** Such as `key --name NAME` or `--scopes A,B`. */
  name: string;
  meaning: string;
}

interface Command extends Described {
  options: Described[];
}

export function commandsPage(): string {
  const cli = fileURLToPath(new URL("../../src/cli.ts", import.meta.url));
  const help = execFileSync(process.execPath, [cli, "help"], { encoding: "utf8" });
  const commands = readHelp(help);
  return page(
    head("Commands", "Every command of `switchboard`, with its options."),
    "In a checkout, and where the package is installed, call them as `npx --no-install switchboard`. Settings are environment variables " +
      "([configuration.md](../configuration.md)). A command that speaks to a running gateway takes its key from `SWITCHBOARD_KEY`.",
    table(
      ["Exit code", "Meaning"],
      Object.entries(meanings).map(([name, meaning]) => [`${exitCodes[name as Exit]}`, meaning]),
    ),
    ...commands.flatMap(({ name, meaning, options }) => [
      `## ${name}`,
      meaning,
      table(
        ["Option", "Meaning"],
        options.map((option) => [code(option.name), option.meaning]),
      ),
    ]),
  );
}

type Exit = keyof typeof exitCodes;

const meanings: Record<Exit, string> = {
  success: "It did what it was asked.",
  failure: "It failed, or found what its help names.",
  usage: "The command line has a mistake.",
  configuration: "A setting is missing or unusable.",
};

/** Where the meaning begins in a line of the help. */
const COLUMN = 24;

/** A command begins at the third column, an option deeper. A long name has its meaning on the next line. */
function readHelp(help: string): Command[] {
  const commands: Command[] = [];
  let last: Described | undefined;
  for (const line of help.split("\n").filter((each) => each.startsWith("  "))) {
    const isLong = line[COLUMN - 1] !== " ";
    const name = (isLong ? line : line.slice(0, COLUMN)).trim();
    const meaning = isLong ? "" : sentence(line.slice(COLUMN));
    if (name === "" && last) last.meaning = meaning;
    else {
      last = { name, meaning };
      if (/^ {2}\S/.test(line)) commands.push(Object.assign(last, { options: [] }));
      else commands.at(-1)?.options.push(last);
    }
  }
  // Two lines of one command have their options below the second.
  const wordOf = ({ name }: Command) => name.split(" ", 1)[0];
  for (const [at, command] of commands.entries()) {
    const next = commands[at + 1];
    if (command.options.length === 0 && next && wordOf(next) === wordOf(command)) command.options = next.options;
  }
  return commands;
}

const sentence = (text: string) => `${text.charAt(0).toUpperCase()}${text.slice(1)}.`;
