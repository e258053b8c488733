import type { ListedTaskFragment } from "../../gql/graphql.ts";

export interface Funnel {
  /** Null where it could not be read. */
  numbers: number | null;
  dialled: number | null;
  answered: number | null;
  /** The service is further than the received calls: they are the least that was dialled. */
  isPartial: boolean;
}

export function funnelOf({ total, progress, callStats }: Pick<ListedTaskFragment, "total" | "progress" | "callStats">) {
  const dialled = callStats?.numbersCalled ?? null;
  const settled = total === null || progress === null ? 0 : Math.floor((total * progress) / 100);
  return {
    numbers: total,
    dialled,
    answered: callStats?.numbersReached ?? null,
    isPartial: dialled !== null && dialled < settled,
  } satisfies Funnel;
}
