// Gateways on one PostgreSQL that are stopped and started again, one after the other, while webhooks come and readers
// listen: what an upgrade of all of them looks like from outside.
import { randomInt } from "node:crypto";
import { startGateway, type GatewayProgram } from "../support/gateway.ts";
import { until } from "../support/until.ts";
import { NO_SERVICE, QUIET, startLoad } from "./load.ts";
import { openReader } from "./reader.ts";

export interface RollingOptions {
  /** postgres://… */
  database: string;
  gateways: number;
  restarts: number;
  readers: number;
  /** At least so many webhooks are acknowledged between two restarts. */
  webhooks: number;
}

export interface Rolled {
  acknowledged: readonly string[];
  /** Of each reader. */
  told: readonly (readonly string[])[];
  /** What applications heard of it: of readers, errors; of senders, statuses other than 200. 0, nobody there, is none. */
  errors: readonly unknown[];
  exitCodes: readonly (number | null)[];
}

export async function rollGateways(options: RollingOptions): Promise<Rolled> {
  const env = { ...QUIET, DRAIN_SECONDS: "1", DATABASE_URL: options.database };
  await using parts = new AsyncDisposableStack();
  const running: GatewayProgram[] = [];
  parts.defer(async () => void (await Promise.all(running.map((gateway) => gateway[Symbol.asyncDispose]()))));
  for (let at = 0; at < options.gateways; at += 1) running.push(await startGateway(NO_SERVICE, env));
  // As behind a balancer: to one that is there.
  const gateway = () => running[randomInt(running.length)] as GatewayProgram;
  const readers = Array.from({ length: options.readers }, () => parts.use(openReader(() => gateway().url)));
  await Promise.all(readers.map(({ standing }) => standing));
  const load = startLoad({ gateway, writers: 8 });
  const exitCodes: (number | null)[] = [];
  for (let at = 0; at < options.restarts; at += 1) {
    await load.more(options.webhooks);
    const oldest = running[0] as GatewayProgram;
    oldest.process.kill("SIGTERM");
    exitCodes.push(await oldest.exited);
    running.shift();
    await oldest[Symbol.asyncDispose]();
    running.push(await startGateway(NO_SERVICE, env));
  }
  await load.more(options.webhooks);
  await load.stop();
  const { acknowledged } = load;
  await until(() => readers.every(({ told }) => told.length >= acknowledged.length));
  const refusals = [...load.refusals.keys()].filter((status) => status !== 0);
  return {
    acknowledged,
    told: readers.map(({ told }) => told),
    errors: [...readers.flatMap(({ errors }) => errors), ...refusals],
    exitCodes,
  };
}
