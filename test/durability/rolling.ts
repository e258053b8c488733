// Replaces gateways on one PostgreSQL one after the other, while webhooks arrive, readers subscribe and tasks are created, as an
// upgrade does.
import { randomInt } from "node:crypto";
import { emptySandbox } from "../support/emptySandbox.ts";
import { MAIN, type GatewayProgram, spawnGateway } from "../support/gateway.ts";
import { until } from "../support/until.ts";
import { startCreates } from "./creates.ts";
import { QUIET, startLoad } from "./load.ts";
import { openReader } from "./reader.ts";

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
  /** The errors of readers, and the answers to webhooks other than 200. A refused connection is no error. */
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
  const env = { ...QUIET, DRAIN_SECONDS: "1", DATABASE_URL: options.database };
  await using parts = new AsyncDisposableStack();
  const sandbox = parts.use(await emptySandbox());
  const running: GatewayProgram[] = [];
  parts.defer(async () => void (await Promise.all(running.map((gateway) => gateway[Symbol.asyncDispose]()))));
  const startFirst = async () => running.push(await spawnGateway(sandbox, env, options.firstMain ?? MAIN));
  await Promise.all(Array.from({ length: options.gateways }, startFirst));
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
    running.push(await spawnGateway(sandbox, env));
  }
  await load.waitForMore(options.webhooks);
  await Promise.all([load.stop(), creates.stop()]);
  const { acknowledged } = load;
  await until(() => readers.every(({ sessionIds }) => sessionIds.length >= acknowledged.length));
  const refusals = [...load.refusals.keys()].filter((status) => status !== 0);
  return {
    acknowledged,
    sessionIds: readers.map(({ sessionIds }) => sessionIds),
    errors: [...readers.flatMap(({ errors }) => errors), ...refusals],
    exitCodes,
    submitted: creates.submitted,
    sent: creates.sent(),
  };
}
