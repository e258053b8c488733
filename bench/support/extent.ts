// How much is measured, and whether profiles are written.
import { join } from "node:path";

/** How much is measured: the whole, or a quick look. */
export interface Extent {
  rounds: number;
  /** Of load, for each target in each round. */
  ms: number;
  /** Of clients that poll. */
  pollMs: number;
  /** Live events sent one by one, and again at once, at a hundred subscribers. */
  events: number;
  /** Recordings of 64 kB; and of 10 MB downloads and playbacks at the same time. */
  recordings: number;
  downloads: number;
  playbacks: number;
  /** Webhooks at once. */
  burst: number;
  /** Where each gateway leaves a profile of its processor time; null: there is none, for it slows what is measured. */
  profiles: string | null;
}

const many = { recordings: 1000, downloads: 200, playbacks: 200 };
const few = { recordings: 200, downloads: 20, playbacks: 20 };

export const whole: Extent = {
  rounds: 7,
  ms: 1500,
  pollMs: 10_000,
  events: 50,
  ...many,
  burst: 40_000,
  profiles: null,
};
export const short: Extent = { rounds: 2, ms: 500, pollMs: 2000, events: 20, ...few, burst: 25_000, profiles: null };

/** Options of Node for a gateway, which leaves a .cpuprofile of each of its threads in the folder `name` when it was stopped. */
export function profiled({ profiles }: Extent, name: string): string[] {
  return profiles === null ? [] : ["--cpu-prof", `--cpu-prof-dir=${join(profiles, name)}`];
}
