// What each key has used of its limits, for rules on alerts.
import { usedLimits } from "../alerts/alertFile.ts";
import { findLimits, watchesLimits, type UsedLimit } from "../alerts/limitConditions.ts";
import type { FindConditions } from "../alerts/conditions.ts";
import type { Viewer } from "../auth/scopes.ts";
import type { UsageStore } from "../store/tasks/usageStore.ts";
import { limitStates, periodsAt } from "../tasks/usageLimits.ts";

export interface UsedLimitsDeps {
  keys: () => readonly Viewer[];
  usage: Pick<UsageStore, "ofEach">;
  /** The service's IANA zone. */
  timeZone: string;
  clock: () => number;
}

const NAMES: ReadonlyMap<string, UsedLimit["limit"]> = new Map(usedLimits.map((name) => [name, name]));

/** A key without limits that count is not read. */
export function createLimitConditions({ keys, usage, timeZone, clock }: UsedLimitsDeps): FindConditions {
  async function readUsed(now: number): Promise<UsedLimit[]> {
    const limited = keys().filter(({ limits }) => limits && usedLimits.some((name) => limits[name] !== undefined));
    const used = await usage.ofEach(limited.map(({ name }) => name));
    const periods = periodsAt(now, timeZone);
    return limited.flatMap((key) => {
      const states = limitStates(key.limits, { usage: used.get(key.name) ?? null, now: periods, timeZone });
      return states.flatMap(({ limit: name, size, used: own, freeAt }) => {
        const limit = NAMES.get(name);
        return limit && freeAt ? [{ viewer: key.name, limit, size, used: own, freeAt }] : [];
      });
    });
  }
  return async (rules) => {
    const now = clock();
    const findings = watchesLimits(rules) ? findLimits(rules, await readUsed(now), now) : [];
    return { findings, covered: [] };
  };
}
