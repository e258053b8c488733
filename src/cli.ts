// `switchboard <command>`: chooses the command and parses its options. Each command loads only the modules it needs.
import { command, flag, helpFor, settings, show, text, type Command } from "./commands/command.ts";
import { UsageError } from "./commands/options.ts";
import { exitWith, notify } from "./commands/output.ts";
import { remoteCommands, URL_USAGE } from "./commands/remote/remoteCommands.ts";
import { exitCodes } from "./util/start/exitCodes.ts";
import { editDistance } from "./util/text/editDistance.ts";
import { readVersion } from "./util/version.ts";

const FILE_USAGE = "the SQLite database in DATABASE_URL";

const commands: Record<string, Command> = {
  start: command(
    "  start                 run the gateway, with the sandbox if UPSTREAM_URL is not set",
    {},
    async () => {
      const { env, envFile } = settings();
      return (await import("./commands/startCommand.ts")).startCommand(env, envFile);
    },
  ),
  init: command(
    `  init                  ask what a gateway needs, and write .env, a first key, secrets in files, and what runs it
    --yes               ask nothing: flags and defaults are the answers
    --force             write files anew, and keep .env as .env.old; keys, and secrets that are not given anew, stay
    --service URL       the service's base address (default: the sandbox)
    --time-zone ZONE    of the service's times
    --token-file FILE   holds the service's token; without it UPSTREAM_TOKEN does
    --webhook-header-file FILE
                        holds the Authorization header of webhooks; without it WEBHOOK_AUTHORIZATION does (default: a new one)
    --public-host HOST  the name by which the service reaches the gateway
    --tls-proxy yes|no  whether a proxy with TLS stands in front
    --database ADDRESS  where events are kept: sqlite (default), or an address of PostgreSQL without its password
    --database-password-file FILE
                        holds its password; without it PGPASSWORD does
    --deploy WAY        files to run it with: none (default), systemd, compose or kubernetes
    --key-name NAME     of the first key (default: admin)
    --key-scopes A,B    its scopes (default: calls:read,people:read,recordings:read,admin)`,
    {
      yes: flag,
      force: flag,
      service: text,
      "time-zone": text,
      "token-file": text,
      "webhook-header-file": text,
      "public-host": text,
      "tls-proxy": text,
      database: text,
      "database-password-file": text,
      deploy: text,
      "key-name": { ...text, default: "admin" },
      "key-scopes": { ...text, default: "calls:read,people:read,recordings:read,admin" },
    },
    async (values) => (await import("./commands/init/initCommand.ts")).initCommand(values, process.env),
  ),
  sandbox: command("  sandbox               run only the sandbox, a simulated calling service", {}, async () =>
    (await import("./commands/sandboxCommand.ts")).sandboxCommand(settings().env),
  ),
  doctor: command(
    `  doctor                find out how the service at UPSTREAM_URL behaves, and print settings for it
    --json              print one JSON line
    --webhook           wait for the first webhook of a running gateway, and say why others are refused
      --timeout SECONDS how long (default: 300); 0 looks once
      --address URL     send a test from here to where the service sends webhooks, and say whether it arrived
${URL_USAGE.replace("--url", "  --url").replace("URL           ", "URL         ")}`,
    { json: flag, webhook: flag, timeout: text, address: text, url: text },
    async ({ webhook, json, timeout, address, url }) => {
      const { env } = settings();
      if (webhook && address !== undefined) {
        if (timeout !== undefined) throw new UsageError("--address waits for nothing: leave --timeout out.");
        const { webhookTestCommand } = await import("./commands/remote/webhookTestCommand.ts");
        return webhookTestCommand({ json, address, url }, env);
      }
      if (webhook)
        return (await import("./commands/remote/webhookCommand.ts")).webhookCommand({ json, timeout, url }, env);
      if ([timeout, address, url].some((given) => given !== undefined))
        throw new UsageError("--timeout, --address and --url need --webhook.");
      return (await import("./commands/doctorCommand.ts")).doctorCommand({ json }, env);
    },
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
  ...remoteCommands,
};

const HELP = `switchboard <command>

${Object.values(commands)
  .map(({ usage }) => usage)
  .join("\n")}
  help [COMMAND]        print this help, or the help of one command
  --version             print the version

Settings are environment variables, or stand in .env of the working folder: see docs/configuration.md.
`;

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
