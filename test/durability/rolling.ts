// Replaces gateways on one PostgreSQL one after the other, while webhooks arrive, readers subscribe and tasks are created, as an
// upgrade does.
import { randomInt } from "node:crypto";
import { emptySandbox } from "../support/emptySandbox.ts";
import { MAIN, type GatewayProgram, spawnGateway } from "../support/gateway.ts";
import { until } from "../support/until.ts";
import { startCreates } from "./creates.ts";
import { QUIET, startLoad } from "./load.ts";
import { openReader } from "./reader.ts";
import { refusals } from "./stalls.ts";

export interface RollingOptions {
  /** postgres://… */
  database: string;
  gateways: number;
  /** The entry point of the gateways that run first. Default: this version's. Each restart starts this version. */
  firstMain?: string;
  restarts: number;
  readers: number;
  /** The least number of webhooks that are acknowledged between two restarts. */
  webhooks: number;
}

export interface RollingResult {
  acknowledged: readonly string[];
  /** The session ids that each reader received. */
  sessionIds: readonly (readonly string[])[];
  /**
   * The errors of readers, and the answers to webhooks other than 200. A refused connection is no error, nor is the 503 of a gateway that
   * the machine did not run for seconds (stalls.ts).
   */
  errors: readonly unknown[];
  exitCodes: readonly (number | null)[];
  /** The names of the tasks that have a submission. */
  submitted: readonly string[];
  /** The names of the tasks that the service was told to create, one for each request. */
  sent: readonly string[];
}

/** Creates count against a rate limit. */
const WEBHOOKS_PER_CREATE = 10;

export async function rollGateways(options: RollingOptions): Promise<RollingResult> {
  // It ends when nothing runs any more. A drain that is over cuts a task between its submission and its request to the service.
  const env = { ...QUIET, DRAIN_SECONDS: "600", LOG_LEVEL: "debug", DATABASE_URL: options.database };
  await using parts = new AsyncDisposableStack();
  const sandbox = parts.use(await emptySandbox());
  const running: GatewayProgram[] = [];
  const started: GatewayProgram[] = [];
  parts.defer(async () => void (await Promise.all(running.map((gateway) => gateway[Symbol.asyncDispose]()))));
  const start = async (main: string) => {
    const gateway = await spawnGateway(sandbox, env, main);
    running.push(gateway);
    started.push(gateway);
  };
  await Promise.all(Array.from({ length: options.gateways }, () => start(options.firstMain ?? MAIN)));
  // As a load balancer does, this picks a gateway that runs.
  const gateway = () => running[randomInt(running.length)] as GatewayProgram;
  const readers = Array.from({ length: options.readers }, () => parts.use(openReader(() => gateway().url)));
  await Promise.all(readers.map(({ subscribed }) => subscribed));
  const load = startLoad({ gateway, writers: 8 });
  const mayCreate = (made: number) => load.acknowledged.length >= made * WEBHOOKS_PER_CREATE;
  const creates = startCreates({ gateway, sandbox, mayCreate });
  const exitCodes: (number | null)[] = [];
  for (let at = 0; at < options.restarts; at += 1) {
    await load.waitForMore(options.webhooks);
    const oldest = running[0] as GatewayProgram;
    oldest.process.kill("SIGTERM");
    exitCodes.push(await oldest.exited);
    running.shift();
    await oldest[Symbol.asyncDispose]();
    await start(MAIN);
  }
  await load.waitForMore(options.webhooks);
  await Promise.all([load.stop(), creates.stop()]);
  const { acknowledged } = load;
  await until(() => readers.every(({ sessionIds }) => sessionIds.length >= acknowledged.length));
  const refused = started.map(refusals);
  const isOfStalls = refused.includes("of stalls") && !refused.includes("others");
  const statuses = [...load.refusals.keys()].filter((status) => status !== 0 && !(status === 503 && isOfStalls));
  return {
    acknowledged,
    sessionIds: readers.map(({ sessionIds }) => sessionIds),
    errors: [...readers.flatMap(({ errors }) => errors), ...statuses],
    exitCodes,
    submitted: creates.submitted,
    sent: creates.sent(),
  };
}
