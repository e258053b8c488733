// `switchboard <command>`: chooses the command and parses its options. Each command loads only the modules it needs.
import type { ParseArgsOptionsConfig } from "node:util";
import { loadEnvFile } from "./config/envFile.ts";
import { exitWith, notify, print } from "./commands/output.ts";
import { readOptions, UsageError, type Values } from "./commands/options.ts";
import { exitCodes } from "./util/start/exitCodes.ts";
import { editDistance } from "./util/text/editDistance.ts";
import { readVersion } from "./util/version.ts";

interface Command {
  /** Its section of the help text. */
  usage: string;
  run(args: readonly string[]): Promise<number>;
}

const flag = { type: "boolean", default: false } as const;
const text = { type: "string" } as const;

/** The environment, with the variables of `.env`. Read where a command needs it, so that a bad file does not keep help away. */
function settings() {
  const envFile = loadEnvFile(process.env);
  return { env: process.env, envFile };
}
const FILE_USAGE = "the SQLite database in DATABASE_URL";
const URL_USAGE =
  "    --url URL           the gateway's address (default: http://127.0.0.1:$PORT); the key is in SWITCHBOARD_KEY";

const commands: Record<string, Command> = {
  start: command(
    "  start                 run the gateway, with the sandbox if UPSTREAM_URL is not set",
    {},
    async () => {
      const { env, envFile } = settings();
      return (await import("./commands/startCommand.ts")).startCommand(env, envFile);
    },
  ),
  sandbox: command("  sandbox               run only the sandbox, a simulated calling service", {}, async () =>
    (await import("./commands/sandboxCommand.ts")).sandboxCommand(settings().env),
  ),
  doctor: command(
    `  doctor                find out how the service at UPSTREAM_URL behaves, and print settings for it
    --json              print one JSON line`,
    { json: flag },
    async (values) => (await import("./commands/doctorCommand.ts")).doctorCommand(values, settings().env),
  ),
  check: command(
    "  check                 try the settings, and change nothing: variables, files, database, service, recordings",
    {},
    async () => {
      const { env, envFile } = settings();
      return (await import("./commands/checkCommand.ts")).checkCommand(env, envFile);
    },
  ),
  migrate: command("  migrate               bring the database's tables up to date, and end", {}, async () =>
    (await import("./commands/migrateCommand.ts")).migrateCommand(settings().env),
  ),
  health: command(
    `  health                ask the gateway at HOST and PORT whether it is alive; the exit code is 0 or 1
    --ready             ask whether it is ready`,
    { ready: flag },
    async (values) => (await import("./commands/healthCommand.ts")).healthCommand(values, settings().env),
  ),
  schema: command(
    `  schema                print the GraphQL schema
    --federation        print it as a subgraph, for a router
    --write | --check   write src/schema/schema.graphql, or check that it is up to date`,
    { write: flag, check: flag, federation: flag },
    async (values) => (await import("./commands/schemaCommand.ts")).schemaCommand(values),
  ),
  key: command(
    `  key --name NAME       create an API key, and print its entry for API_KEYS_FILE
    --scopes A,B        the key's scopes (default: calls:read)`,
    { name: text, scopes: { ...text, default: "calls:read" } },
    async (values) => (await import("./commands/keyCommand.ts")).keyCommand(values),
  ),
  events: command(
    `  events                print the log of a running gateway, as JSON lines
    --after CURSOR      start after this entry (default: at the oldest entry)
    --follow            keep printing new entries
${URL_USAGE}`,
    { after: text, follow: flag, url: text },
    async (values) => (await import("./commands/remote/eventsCommand.ts")).eventsCommand(values, settings().env),
  ),
  "events show": command(
    `  events show CURSOR    print an entry of the log, and the webhook that brought it, as it came
${URL_USAGE}`,
    { url: text },
    async ({ url }, [cursor = ""]) =>
      (await import("./commands/remote/rawDeliveryCommands.ts")).showCommand(cursor, url, settings().env),
    ["CURSOR"],
  ),
  "events reread": command(
    `  events reread         read accepted webhooks again; a call that changes gets a revision
    --after CURSOR      start after this entry (default: at the oldest webhook that is kept)
${URL_USAGE}`,
    { after: text, url: text },
    async (values) => (await import("./commands/remote/rawDeliveryCommands.ts")).rereadCommand(values, settings().env),
  ),
  tasks: command(
    `  tasks                 print the tasks that a running gateway knows, as JSON lines, the last active first
${URL_USAGE}`,
    { url: text },
    async (values) => (await import("./commands/remote/taskCommands.ts")).tasksCommand(values, settings().env),
  ),
  submissions: command(
    `  submissions           print the tasks that were submitted through it, as JSON lines, the newest first
${URL_USAGE}`,
    { url: text },
    async (values) => (await import("./commands/remote/taskCommands.ts")).submissionsCommand(values, settings().env),
  ),
  approve: command(
    `  approve ID            send a proposed task, which makes phone calls; ID is that of its submission
${URL_USAGE}`,
    { url: text },
    async (values, [id = ""]) =>
      (await import("./commands/remote/taskCommands.ts")).approveCommand(id, values, settings().env),
    ["ID"],
  ),
  decline: command(
    `  decline ID            decline a proposed task, of which nothing is sent
    --reason TEXT       for the viewer that proposed it
${URL_USAGE}`,
    { url: text, reason: text },
    async (values, [id = ""]) =>
      (await import("./commands/remote/taskCommands.ts")).declineCommand(id, values, settings().env),
    ["ID"],
  ),
  forget: command(
    `  forget NUMBER         erase the calls of a phone number for good; with - it is read from standard input
    --never-call        add it to the never-call list, too
    --dry-run           erase nothing, and count what would go
${URL_USAGE}`,
    { url: text, "never-call": flag, "dry-run": flag },
    async ({ url, "never-call": neverCall, "dry-run": dryRun }, [number = ""]) =>
      (await import("./commands/remote/forgetCommand.ts")).forgetCommand(
        { number, neverCall, dryRun, url },
        settings().env,
      ),
    ["NUMBER"],
  ),
  audit: command(
    `  audit                 print the audit log of a running gateway, as JSON lines, the newest entry first
${URL_USAGE}`,
    { url: text },
    async (values) => (await import("./commands/remote/auditCommand.ts")).auditCommand(values, settings().env),
  ),
  backup: command(
    `  backup FILE           copy ${FILE_USAGE} to a new file; its gateway may run`,
    {},
    async (_, [file = ""]) => (await import("./commands/backupCommand.ts")).backupCommand(file, settings().env),
    ["FILE"],
  ),
  restore: command(
    `  restore FILE          replace ${FILE_USAGE} by a backup; its gateway must not run`,
    {},
    async (_, [file = ""]) => (await import("./commands/backupCommand.ts")).restoreCommand(file, settings().env),
    ["FILE"],
  ),
  quarantine: command(
    `  quarantine            print the deliveries that a running gateway could not read, as JSON lines
    --reprocess ID|all  read them again; the exit code is 1 if one still cannot be read
      --charset NAME    the charset of their bodies, such as gbk, where the service declares none or another one
    --discard ID|all    remove them for good, unread; the exit code is 1 if one is not in quarantine
    --not-ended         those that are not the end of a call, in place of those that could not be read
${URL_USAGE}`,
    { reprocess: text, charset: text, discard: text, "not-ended": flag, url: text },
    async (values) =>
      (await import("./commands/remote/quarantineCommand.ts")).quarantineCommand(values, settings().env),
  ),
  "do-not-call": command(
    `  do-not-call import FILE
                        add the numbers in the first column of a file to the never-call list of a running gateway
  do-not-call remove FILE
                        remove them; of both the exit code is 1 if a line has no phone number
      --column COLUMN   the column of the numbers: its head, or its place from 1
      --separator SEP   the sign between the cells: , ; | tab or none
${URL_USAGE}`,
    { url: text, column: text, separator: text },
    async (values, [action, file]) =>
      (await import("./commands/remote/doNotCallCommand.ts")).doNotCallCommand(
        { action, file, ...values },
        settings().env,
      ),
    ["import or remove", "FILE"],
  ),
};

const HELP = `switchboard <command>

${Object.values(commands)
  .map(({ usage }) => usage)
  .join("\n")}
  help [COMMAND]        print this help, or the help of one command
  --version             print the version

Settings are environment variables, or stand in .env of the working folder: see docs/configuration.md.
`;

/** `operands`: the names of the arguments that the command needs, in order. */
function command<O extends ParseArgsOptionsConfig>(
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
function helpFor(usage: string): string {
  return `switchboard ${usage.trimStart()}\n`;
}

function show(text: string): number {
  print(text);
  return 0;
}

function refuse(problem: string, usage: string): number {
  notify(`${problem}\n\n${usage}`);
  return exitCodes.usage;
}

/** The command that was probably meant. */
function nearestCommand(word: string): string | undefined {
  return Object.keys(commands).find((name) => editDistance(word, name) <= (name.length < 5 ? 1 : 2));
}

const helpOf = (name: string): string => helpFor(commands[name]?.usage ?? "");

/** A command may have two words. */
function splitLine([first, second, ...rest]: readonly string[]): (string | undefined)[] {
  const both = `${first} ${second}`;
  return Object.hasOwn(commands, both) ? [both, ...rest] : [first, second, ...rest];
}

async function run(line: readonly string[]): Promise<number> {
  const [name, ...args] = splitLine(line).filter((word) => word !== undefined);
  if (name === undefined) return refuse("A command is needed.", HELP);
  if (name === "--version") return show(`${await readVersion()}\n`);
  const isHelp = ["help", "--help", "-h"].includes(name);
  const named = isHelp ? args.find((word) => !word.startsWith("-")) : name;
  if (named === undefined) return show(HELP);
  const chosen = Object.hasOwn(commands, named) ? commands[named] : undefined;
  if (!chosen) {
    const kind = named.startsWith("-") ? "option" : "command";
    const near = nearestCommand(named);
    const hint = near === undefined ? "" : ` Did you mean ${near}?`;
    return refuse(`Unknown ${kind} ${named.split("=", 1)[0]}.${hint}`, near === undefined ? HELP : helpOf(near));
  }
  if (isHelp) return show(helpFor(chosen.usage));
  return chosen.run(args).catch((error: unknown) => {
    if (error instanceof UsageError) return refuse(error.message, helpFor(chosen.usage));
    throw error;
  });
}

await exitWith(run(process.argv.slice(2)));
