// How many bytes of request bodies are kept at once. A body that comes slowly is held for as long as it may take to come, and
// what was made of it for as long as its operation runs.
import type { ServerResponse } from "node:http";
import { BODY_BUDGET } from "../../config/limits.ts";

/** Counts bytes that are to be kept, until the answer is over. False: they are too many, and were not counted. */
export type ReserveBytes = (bytes: number) => boolean;

export interface BodyBudget {
  /** For one request; `caller` is a viewer or an address. */
  open(caller: string, response: ServerResponse): ReserveBytes;
}

type BodyBudgetLimits = Record<"total" | "ofCaller", number>;

export function createBodyBudget({ total, ofCaller }: BodyBudgetLimits = BODY_BUDGET): BodyBudget {
  const kept = new Map<string, number>();
  let all = 0;

  function add(caller: string, bytes: number): void {
    all += bytes;
    const left = (kept.get(caller) ?? 0) + bytes;
    if (left > 0) kept.set(caller, left);
    else kept.delete(caller);
  }
  return {
    open(caller, response) {
      let own = 0;
      response.once("close", () => add(caller, -own));
      return (bytes) => {
        if (response.destroyed || all + bytes > total || (kept.get(caller) ?? 0) + bytes > ofCaller) return false;
        own += bytes;
        add(caller, bytes);
        return true;
      };
    },
  };
}
