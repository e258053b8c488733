// `switchboard <command>`. Each command loads what it needs, and no more.
import type { ParseArgsOptionsConfig } from "node:util";
import { exitWith } from "./commands/exit.ts";
import { EXIT_USAGE, readOptions, UsageError, type Values } from "./commands/options.ts";
import { readVersion } from "./util/version.ts";

interface Command {
  /** Its part of the help. */
  usage: string;
  run(args: readonly string[]): Promise<number>;
}

const flag = { type: "boolean", default: false } as const;
const text = { type: "string" } as const;

const { env } = process;
const URL_USAGE =
  "    --url URL           where it listens; default: http://127.0.0.1:$PORT. The key is in SWITCHBOARD_KEY";

const commands: Record<string, Command> = {
  start: command("  start                 the gateway; with the sandbox where UPSTREAM_URL is not set", {}, async () =>
    (await import("./commands/startCommand.ts")).startCommand(env),
  ),
  sandbox: command("  sandbox               the calling service in a box, alone", {}, async () =>
    (await import("./commands/sandboxCommand.ts")).sandboxCommand(env),
  ),
  doctor: command(
    `  doctor                finds out how the service at UPSTREAM_URL behaves, by reading, and what to set
    --json              as one JSON line`,
    { json: flag },
    async (values) => (await import("./commands/doctorCommand.ts")).doctorCommand(values, env),
  ),
  schema: command(
    `  schema                prints the graph
    --write | --check   writes src/schema/schema.graphql, or tells whether it is up to date`,
    { write: flag, check: flag },
    async (values) => (await import("./commands/schemaCommand.ts")).schemaCommand(values),
  ),
  key: command(
    `  key --name NAME       makes an API key, and its entry for API_KEYS_FILE
    --scopes A,B        what it may do; default: calls:read`,
    { name: text, scopes: { ...text, default: "calls:read" } },
    async (values) => (await import("./commands/keyCommand.ts")).keyCommand(values),
  ),
  events: command(
    `  events                a running gateway's log, as JSON lines
    --after CURSOR      behind that entry; default: from the oldest that is kept
    --follow            goes on with what comes
${URL_USAGE}`,
    { after: text, follow: flag, url: text },
    async (values) => (await import("./commands/eventsCommand.ts")).eventsCommand(values, env),
  ),
  quarantine: command(
    `  quarantine            deliveries that a running gateway could not read, as JSON lines
    --reprocess ID|all  reads them again; ends with 1 where one still cannot be read
${URL_USAGE}`,
    { reprocess: text, url: text },
    async (values) => (await import("./commands/quarantineCommand.ts")).quarantineCommand(values, env),
  ),
};

const HELP = `switchboard <command>

${Object.values(commands)
  .map(({ usage }) => usage)
  .join("\n")}
  help [COMMAND]        says this, or a command's part of it
  --version             says which version this is

Settings are environment variables: see docs/configuration.md.
`;

function command<O extends ParseArgsOptionsConfig>(
  usage: string,
  options: O,
  run: (values: Values<O>) => Promise<number>,
): Command {
  return {
    usage,
    async run(args) {
      const { values, words, asksForHelp } = readOptions(args, options);
      if (asksForHelp) return say(alone(usage));
      if (words.length > 0) throw new UsageError("It takes no further words.");
      return run(values);
    },
  };
}

/** A command's part of the help, by itself. */
function alone(usage: string): string {
  return `switchboard ${usage.trimStart()}\n`;
}

function say(words: string): number {
  process.stdout.write(words);
  return 0;
}

function refuse(problem: string, usage: string): number {
  process.stderr.write(`${problem}\n\n${usage}`);
  return EXIT_USAGE;
}

async function run([name, ...args]: readonly string[]): Promise<number> {
  if (name === undefined) return refuse("A command is needed.", HELP);
  if (name === "--version") return say(`${await readVersion()}\n`);
  const isHelp = ["help", "--help", "-h"].includes(name);
  const named = isHelp ? args.find((word) => !word.startsWith("-")) : name;
  if (named === undefined) return say(HELP);
  const chosen = Object.hasOwn(commands, named) ? commands[named] : undefined;
  if (!chosen) {
    const kind = named.startsWith("-") ? "option" : "command";
    return refuse(`There is no ${kind} ${named.split("=", 1)[0]}.`, HELP);
  }
  if (isHelp) return say(alone(chosen.usage));
  return chosen.run(args).catch((error: unknown) => {
    if (error instanceof UsageError) return refuse(error.message, alone(chosen.usage));
    throw error;
  });
}

await exitWith(run(process.argv.slice(2)));
