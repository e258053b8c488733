// Runs a gateway of which the leases end, and the destinations try again, in a fraction of the usual time. Reads the gateway's variables.
import { readConfig } from "../../src/config/config.ts";
import { createGateway } from "../../src/gateway.ts";
import { createLogger } from "../../src/logger.ts";
import { openDatabase } from "../../src/store/database.ts";
import { createLeaseStore } from "../../src/store/shared/leaseStore.ts";
import { openStore } from "../../src/store/store.ts";

const { upstream, ...config } = readConfig(process.env);
if (!upstream) throw new Error("no service is named");
const log = createLogger({ level: "info", secrets: [] });
const own = { url: config.databaseUrl, fsync: config.databaseFsync, log };
const store = await openStore(own);
const leases = createLeaseStore(await openDatabase(own.url, log, own), { leaseMs: 2000, renewMs: 400 });
const destinationTimes = {
  retries: { delaysMs: [20, 50, 200], forMs: 3 * 86_400_000, random: Math.random },
  times: { saveMs: 50, lettersMs: 50, hoursMs: 2000, hourEndMs: 0, pollMs: 200, leaseMs: 200, retryMs: 200 },
} as const;
const gateway = await createGateway({ ...config, upstream }, log, { store: { ...store, leases }, destinationTimes });
log.info({ url: gateway.url }, "the gateway listens");
