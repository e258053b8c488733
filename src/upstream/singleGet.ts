// Sends single GETs, each with a deadline of its own and none of the client's layers: for whoever examines the service,
// and must see what it does at every request.
import type { ServiceResponse } from "./judgeResponse.ts";
import { createCancellation, cancelOn } from "./cancellation.ts";
import { tooLate } from "./transportError.ts";
import { createTransport, type Service } from "./transport.ts";

export interface SingleGet extends AsyncDisposable {
  /** As Send (send.ts), once. */
  get(path: string): Promise<ServiceResponse>;
}

export function createSingleGet(service: Service): SingleGet {
  const transport = createTransport({ ...service, connections: 1 });
  return {
    async get(path) {
      const ending = createCancellation();
      const deadlineAt = performance.now() + service.timeoutMs;
      const timer = setTimeout(() => cancelOn(ending, tooLate()), service.timeoutMs);
      try {
        return await transport.send(path, { ending, deadlineAt, sent: 0, beforeSend: () => undefined });
      } finally {
        clearTimeout(timer);
      }
    },
    [Symbol.asyncDispose]: () => transport[Symbol.asyncDispose](),
  };
}
