// A request whose head and credentials were checked, and its response.
import type { IncomingMessage, ServerResponse } from "node:http";
import type { Grant } from "../../auth/grant.ts";
import type { ClientSignal } from "../../graphql/clientSignal.ts";
import type { ResponseHeaders } from "../securityHeaders.ts";
import type { Accepted } from "./accept.ts";

export interface Exchange {
  request: IncomingMessage;
  response: ServerResponse;
  accepted: Accepted;
  /** For the response. */
  headers: ResponseHeaders;
  grant: Grant;
  clientSignal: ClientSignal;
}
