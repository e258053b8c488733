// Requests that the gateway makes up itself, such as those of tools and destinations. They run also where only trusted documents do.
import type { OperationRequest } from "../operationParams.ts";
import type { FindTrusted } from "./trustedDocuments.ts";

export interface OwnRequests {
  /** Returns the request, which is the gateway's own from now on. */
  trust(request: OperationRequest): OperationRequest;
  /** Also finds the gateway's own requests. */
  withOwn(findTrusted: FindTrusted): FindTrusted;
}

/** By identity: no client can make a request that is known here. */
export function createOwnRequests(): OwnRequests {
  const own = new WeakSet<OperationRequest>();
  return {
    trust(request) {
      own.add(request);
      return request;
    },
    withOwn: (findTrusted) => (request) => (own.has(request) ? request : findTrusted(request)),
  };
}
