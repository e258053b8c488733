// How much the benchmarks of `npm run bench` measure, and whether the gateways write profiles.
import { join } from "node:path";

export interface Effort {
  rounds: number;
  /** Duration of the load on each target in each round. */
  ms: number;
  /** Duration of the polling clients. */
  pollMs: number;
  /** Live events for a hundred subscribers. They are sent one by one, then again at once. */
  events: number;
  /** Number of recordings of 64 kB. The downloads and playbacks are of 10 MB, all at the same time. */
  recordings: number;
  downloads: number;
  playbacks: number;
  /** Number of webhooks sent at once. */
  burst: number;
  /** The part of the cuts, events and restarts that clients must survive. */
  resumeShare: number;
  /** Number of earlier calls that are imported beside live ones. */
  imported: number;
  /** How long calls end while the console is open. */
  consoleSeconds: number;
  /** Folder for the CPU profiles of the gateways. Null: no profiles, because profiling slows the gateway. */
  profiles: string | null;
  /** Writes the tables into docs/, if the benchmark has a place there. */
  write: boolean;
}

const many = { recordings: 1000, downloads: 200, playbacks: 200 };
const few = { recordings: 200, downloads: 20, playbacks: 20 };

export const fullEffort: Effort = {
  rounds: 7,
  ms: 1500,
  pollMs: 10_000,
  events: 50,
  ...many,
  burst: 40_000,
  imported: 45_000,
  resumeShare: 1,
  consoleSeconds: 300,
  profiles: null,
  write: false,
};
export const shortEffort: Effort = {
  rounds: 2,
  ms: 500,
  pollMs: 2000,
  events: 20,
  ...few,
  burst: 25_000,
  imported: 20_000,
  resumeShare: 0.1,
  consoleSeconds: 5,
  profiles: null,
  write: false,
};

/** Options of Node for a gateway that writes a .cpuprofile of each thread into the folder `name` when it stops. */
export function profileOptions({ profiles }: Effort, name: string): string[] {
  return profiles === null ? [] : ["--cpu-prof", `--cpu-prof-dir=${join(profiles, name)}`];
}
