// Which test runs each block of the pages, and why a block is not run. blocks.test.ts refuses a block that is in neither list.
import type { Block } from "./blocks.ts";

/** Without a language, heading or text: all blocks of the page. */
interface Which {
  page: string | RegExp;
  language?: string;
  heading?: string;
  holding?: string;
}

export const matches = ({ page, language, heading, holding }: Which, block: Block) =>
  (typeof page === "string" ? page === block.page : page.test(block.page)) &&
  (language === undefined || language === block.language) &&
  (heading === undefined || heading === block.heading) &&
  (holding === undefined || block.code.includes(holding));

/** `by`: the test, or a program of bench/ that `npm run test:routers` runs. */
export const HELD: readonly (Which & { by: string })[] = [
  { page: "docs/alerts.md", by: "test/alerts/documented.test.ts" },
  { page: /^(?!docs\/federation)/, language: "graphql", by: "test/docs/operations.test.ts" },
  { page: "docs/creating-tasks.md", language: "json", by: "test/docs/operations.test.ts" },
  { page: "docs/queries.md", language: "json", by: "test/docs/operations.test.ts" },
  { page: "docs/live-events.md", language: "json", by: "test/docs/operations.test.ts" },
  { page: "docs/errors.md", by: "test/docs/operations.test.ts", language: "text" },
  { page: "docs/agents.md", language: "json", by: "test/mcp/powers.test.ts" },
  { page: "docs/errors.md", by: "test/docs/clientBlocks.test.ts", language: "json" },
  { page: "docs/getting-started.md", by: "test/docs/gettingStarted.test.ts" },
  { page: "README.md", heading: "Query", language: "sh", by: "test/docs/commands.test.ts" },
  { page: "README.md", heading: "Your own service", by: "test/docs/commands.test.ts" },
  { page: "README.md", heading: "Run", by: "test/e2e/npmStart.test.ts" },
  { page: "README.md", language: "js", by: "test/docs/clientBlocks.test.ts" },
  {
    page: "docs/live-events.md",
    language: "js",
    holding: "createSwitchboardClient",
    by: "test/docs/clientBlocks.test.ts",
  },
  { page: "docs/live-events.md", language: "js", holding: "EventSource", by: "test/frontends/stockClients.test.ts" },
  {
    page: "docs/live-events.md",
    language: "ts",
    holding: "export function createSocket",
    by: "test/recipes/docs.test.ts",
  },
  { page: "docs/campaigns.md", by: "test/docs/campaigns.test.ts" },
  { page: "docs/live-events.md", language: "sh", by: "test/docs/commands.test.ts" },
  { page: "docs/destinations.md", holding: '"folder"', by: "test/destinations/files/gateway.test.ts" },
  { page: "docs/destinations.md", holding: '"bucket"', by: "test/destinations/files/gateway.test.ts" },
  { page: "docs/destinations.md", holding: '"tls:', by: "test/destinations/brokers/gateway.test.ts" },
  { page: "docs/destinations.md", holding: '"rediss:', by: "test/destinations/brokers/gateway.test.ts" },
  { page: "docs/destinations.md", holding: "asItCame", by: "test/destinations/asItCame.test.ts" },
  { page: "docs/destinations.md", language: "sh", by: "test/destinations/commands.test.ts" },
  { page: "docs/destinations.md", by: "test/destinations/documented.test.ts" },
  { page: "docs/import.md", language: "sh", by: "test/history/importCommand.test.ts" },
  { page: "docs/live-events.md", language: "text", by: "test/docs/commands.test.ts" },
  {
    page: "docs/creating-tasks.md",
    heading: "A task from a table, to its end",
    by: "test/docs/taskFromTable.test.ts",
  },
  { page: "docs/creating-tasks.md", language: "sh", by: "test/docs/commands.test.ts" },
  { page: "docs/security.md", language: "sh", by: "test/docs/commands.test.ts" },
  { page: "docs/security.md", language: "json", by: "test/docs/commands.test.ts" },
  { page: "docs/security.md", language: "js", by: "test/e2e/eventSource.test.ts" },
  { page: "docs/your-own-service.md", heading: "Find out how the service behaves", by: "test/docs/commands.test.ts" },
  {
    page: "docs/your-own-service.md",
    heading: "Find the time zone with a test call",
    by: "test/docs/commands.test.ts",
  },
  {
    page: "docs/your-own-service.md",
    heading: "Start",
    holding: "switchboard init",
    by: "test/commands/init/initCommand.test.ts",
  },
  { page: "docs/your-own-service.md", heading: "Start", holding: "switchboard key", by: "test/docs/commands.test.ts" },
  { page: "docs/your-own-service.md", heading: "Try the way without a call", by: "test/e2e/webhookTest.test.ts" },
  { page: "docs/your-own-service.md", heading: "Try it from outside", by: "test/docs/commands.test.ts" },
  {
    page: "docs/your-own-service.md",
    heading: "See that a webhook arrived",
    language: "sh",
    by: "test/docs/commands.test.ts",
  },
  { page: "docs/operating.md", heading: "Quarantine", by: "test/docs/commands.test.ts" },
  { page: "docs/operating.md", heading: "The audit log", by: "test/docs/commands.test.ts" },
  { page: "docs/operating.md", heading: "Trying settings", by: "test/commands/checkCommand.test.ts" },
  { page: "docs/operating.md", heading: "Reading webhooks again", by: "test/e2e/eventsCommand.test.ts" },
  { page: "docs/operating.md", heading: "SQLite", holding: "npx", by: "test/e2e/backup.test.ts" },
  { page: "docs/operating.md", heading: "PostgreSQL", by: "test/e2e/dump.test.ts" },
  { page: "docs/postgresql.md", language: "sql", by: "test/store/postgres/tls.test.ts" },
  { page: "docs/postgresql.md", holding: "openssl", by: "test/store/postgres/tls.test.ts" },
  { page: "docs/proxies.md", language: "nginx", by: "test/e2e/proxies.test.ts" },
  { page: "docs/proxies.md", language: "caddyfile", by: "test/e2e/proxies.test.ts" },
  { page: "docs/proxies.md", language: "yaml", by: "test/house/proxyFiles.test.ts" },
  { page: "docs/runbook.md", holding: "RUNBOOKS=", by: "test/server/monitoring.test.ts" },
  { page: "docs/runbook.md", holding: "psql", by: "test/store/postgres/lostCommits.test.ts" },
  { page: "docs/runbook.md", by: "test/server/metrics.test.ts" },
  { page: "docs/sandbox.md", language: "sh", holding: "curl", by: "test/docs/commands.test.ts" },
  {
    page: "docs/frontends/setups.md",
    heading: "Vue, Svelte, Angular",
    holding: "LiveCalls(client: SwitchboardClient)",
    by: "test/frontends/guideFrameworks.test.ts",
  },
  { page: /^docs\/frontends\/(?:README|setups)\.md$/, language: "js", by: "test/frontends/guide.test.ts" },
  { page: "docs/frontends/setups.md", language: "ts", by: "test/frontends/guideSetups.test.ts" },
  { page: "docs/frontends/types.md", by: "test/frontends/guideTypes.test.ts" },
  { page: "docs/frontends/caching.md", language: "ts", by: "test/frontends/guideTypes.test.ts" },
  { page: "docs/frontends/README.md", holding: "client.tgz", by: "test/client/served.test.ts" },
  { page: "docs/federation.md", by: "bench/routers/guide.ts" },
  { page: "client/README.md", language: "js", by: "test/client/package.test.ts" },
  { page: "client/README.md", language: "tsx", by: "test/client/react/readme.test.ts" },
  { page: "client/README.md", language: "sh", by: "test/client/package.test.ts" },
];

const SET_UP =
  "it sets variables or starts a gateway for the reader; the variables are checked by their names (test/house/docs.test.ts)";

export const NOT_RUN: readonly (Which & { why: string })[] = [
  { page: "ARCHITECTURE.md", why: "drawings" },
  { page: "README.md", language: "text", why: "a drawing" },
  { page: "CONTRIBUTING.md", why: "the scripts of the repository itself, which take up to hours" },
  { page: "docs/performance.md", why: "benchmarks, which take up to hours" },
  { page: "docs/scaling.md", why: "a benchmark of several minutes" },
  { page: "docs/agents.md", language: "sh", why: "the command of README.md, with a variable that test/mcp/ sets" },
  { page: "docs/configuration.md", why: SET_UP },
  {
    page: "docs/console.md",
    why: "it starts the console and its development server; test/console/ runs both by other commands",
  },
  { page: "docs/frontends/README.md", language: "sh", holding: "npm ci", why: SET_UP },
  {
    page: "docs/frontends/caching.md",
    language: "http",
    why: "a shortened request; test/e2e/httpCaching.test.ts sends such ones",
  },
  { page: "docs/frontends/languages.md", why: "the page says so: the toolchains are not on the test machines" },
  {
    page: "docs/installing.md",
    why: "it needs root, Docker or Kubernetes; test/package/ runs the package, the image's files and the unit",
  },
  {
    page: "docs/live-events.md",
    language: "ts",
    holding: "const end = followCalls",
    why: "test/frontends/guideSetups.test.ts runs the same calls of the same recipe",
  },
  { page: "docs/operating.md", heading: "Operating", why: SET_UP },
  { page: "docs/operating.md", heading: "SQLite", holding: "docker", why: "it needs systemd and Docker" },
  { page: "docs/operating.md", language: "text", why: "a line that a newer database gives, with its address" },
  { page: "docs/postgresql.md", holding: "DATABASE_URL", why: SET_UP },
  {
    page: "docs/postgresql.md",
    holding: "pg_basebackup",
    why: "it needs two machines; bench:durability runs it as `failover`",
  },
  {
    page: "docs/postgresql.md",
    language: "text",
    why: "settings of a server, and a line of the log that test/store/postgres/ compares",
  },
  { page: "docs/proxies.md", language: "sh", why: SET_UP },
  { page: "docs/runbook.md", heading: "Runbook", why: SET_UP },
  { page: "docs/sandbox.md", holding: "npm start", why: SET_UP },
  { page: "docs/sandbox.md", language: "ts", why: "its options are those that test/support/emptySandbox.ts passes" },
  { page: "docs/tracing.md", language: "sh", why: SET_UP },
  { page: "docs/tracing.md", language: "text", why: "drawings of traces; test/tracing/ compares the names" },
  {
    page: "client/README.md",
    language: "ts",
    why: "forms of calls, with names that the reader has; test/client/ calls each",
  },
];
