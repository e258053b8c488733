// `switchboard <command>`.
import { parseArgs } from "node:util";
import { exitWith } from "./commands/exit.ts";

const HELP = `switchboard <command>

  start                 the gateway; with the sandbox where UPSTREAM_URL is not set
  sandbox               the calling service in a box, alone
  doctor                finds out how the service at UPSTREAM_URL behaves, by reading, and what to set
    --json              as one JSON line
  schema                prints the graph
    --write, --check    writes src/schema/schema.graphql, or tells whether it is up to date
  key --name NAME       makes an API key, and its entry for API_KEYS_FILE
    --scopes A,B        what it may do; default: calls:read
  events                a running gateway's log, as JSON lines
    --after CURSOR      behind that entry; default: from the oldest that is kept
    --follow            goes on with what comes
  quarantine            deliveries that a running gateway could not read, as JSON lines
    --reprocess ID|all  reads them again; ends with 1 where one still cannot be read

  events and quarantine ask a gateway over HTTP, with the key in SWITCHBOARD_KEY:
    --url URL           where it listens; default: http://127.0.0.1:$PORT

Settings are environment variables: see docs/configuration.md.
`;

const EXIT_USAGE = 64;

function usage(problem: string): number {
  process.stderr.write(`${problem}\n\n${HELP}`);
  return EXIT_USAGE;
}

async function run(argv: string[]): Promise<number> {
  const { values, positionals } = parseArgs({
    args: argv,
    allowPositionals: true,
    options: {
      help: { type: "boolean", short: "h", default: false },
      write: { type: "boolean", default: false },
      check: { type: "boolean", default: false },
      json: { type: "boolean", default: false },
      name: { type: "string" },
      scopes: { type: "string", default: "calls:read" },
      url: { type: "string" },
      after: { type: "string" },
      follow: { type: "boolean", default: false },
      reprocess: { type: "string" },
    },
  });
  const [command, ...more] = positionals;
  if (values.help || command === undefined) {
    process.stdout.write(HELP);
    return command === undefined && !values.help ? EXIT_USAGE : 0;
  }
  if (more.length > 0) return usage(`${command} takes no further words.`);
  // Each command loads what it needs, and no more.
  switch (command) {
    case "start":
      return (await import("./commands/start.ts")).start(process.env);
    case "sandbox":
      return (await import("./commands/sandbox.ts")).sandbox(process.env);
    case "doctor":
      return (await import("./commands/doctor.ts")).doctor(values, process.env);
    case "schema":
      return (await import("./commands/schema.ts")).schema(values);
    case "key":
      return (await import("./commands/key.ts")).key(values);
    case "events":
      return (await import("./commands/events.ts")).events(values, process.env);
    case "quarantine":
      return (await import("./commands/quarantine.ts")).quarantine(values, process.env);
    default:
      return usage(`There is no command ${command}.`);
  }
}

await exitWith(
  run(process.argv.slice(2)).catch((error: NodeJS.ErrnoException) => {
    if (error.code?.startsWith("ERR_PARSE_ARGS")) return usage(error.message);
    throw error;
  }),
);
