// Limits the bytes of request bodies that are in memory at once, of all callers and of each. A body counts until its request
// is answered: slow bodies are held while they arrive, and parsed bodies while their operation runs.
import type { ServerResponse } from "node:http";
import { BODY_BUDGET } from "../../config/limits.ts";

/** Reserves bytes until the response is closed. False: nothing was reserved, because the limit would be exceeded. */
export type ReserveBytes = (bytes: number) => boolean;

export interface BodyBudget {
  /** For one request. `caller`: a key of connectionQuota.ts. */
  open(caller: string, response: ServerResponse): ReserveBytes;
}

type BodyBudgetLimits = Record<"total" | "ofCaller", number>;

export function createBodyBudget(limits: BodyBudgetLimits = BODY_BUDGET): BodyBudget {
  const reserved = new Map<string, number>();
  let total = 0;

  function add(caller: string, bytes: number): void {
    total += bytes;
    const sum = (reserved.get(caller) ?? 0) + bytes;
    if (sum > 0) reserved.set(caller, sum);
    else reserved.delete(caller);
  }
  return {
    open(caller, response) {
      let ofRequest = 0;
      response.once("close", () => add(caller, -ofRequest));
      return (bytes) => {
        if (response.destroyed || total + bytes > limits.total || (reserved.get(caller) ?? 0) + bytes > limits.ofCaller)
          return false;
        ofRequest += bytes;
        add(caller, bytes);
        return true;
      };
    },
  };
}
