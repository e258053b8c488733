// How a client finds out where to get a token for /mcp (RFC 9728): the metadata of the protected resource, and the challenge of a refused
// request that points at them. Only with an identity provider; keys are not found out.
import type { IncomingMessage, ServerResponse } from "node:http";
import { METADATA_PATH } from "../config/ownPaths.ts";
import { sendJson, sendText, type Refusal } from "../server/httpResponse.ts";
import { originOf, type OriginPolicy } from "../server/originPolicy.ts";
import type { RouteHandler } from "../server/routeTable.ts";
import { AGENT_SCOPES } from "./agentViewer.ts";

export interface Discovery {
  /** GET of the metadata. They hold no secret, so pages of every origin may read them. */
  metadata: RouteHandler;
  /** The same refusal, with what a client needs to get a token. */
  challenge(refusal: Refusal, request: IncomingMessage): Refusal;
}

export interface DiscoveryDeps {
  /** The issuer of the identity provider. */
  issuer: string;
  originPolicy: Pick<OriginPolicy, "siteOf">;
}

/** The scopes that an agent needs to read and to propose. */
const USUAL_SCOPES = "calls:read tasks:propose";

export function createDiscovery({ issuer, originPolicy }: DiscoveryDeps): Discovery {
  return {
    metadata(request: IncomingMessage, response: ServerResponse) {
      response.setHeader("access-control-allow-origin", "*");
      if (request.method === "OPTIONS") return void response.writeHead(204, { allow: "GET, HEAD, OPTIONS" }).end();
      if (request.method !== "GET" && request.method !== "HEAD")
        return sendText(response, 405, "", { allow: "GET, HEAD, OPTIONS" });
      const body = {
        resource: `${originOf(request, originPolicy)}/mcp`,
        resource_name: "Switchboard",
        authorization_servers: [issuer],
        scopes_supported: AGENT_SCOPES,
        bearer_methods_supported: ["header"],
      };
      sendJson(response, 200, body, { "cache-control": "no-cache" });
    },
    challenge(refusal, request) {
      if (refusal.status !== 401) return refusal;
      const address = `${originOf(request, originPolicy)}${METADATA_PATH}/mcp`;
      const isWrong = request.headers.authorization !== undefined;
      const parameters = [
        ...(isWrong ? ['error="invalid_token"'] : []),
        `scope="${USUAL_SCOPES}"`,
        `resource_metadata="${address}"`,
      ];
      return { ...refusal, headers: { ...refusal.headers, "www-authenticate": `Bearer ${parameters.join(", ")}` } };
    },
  };
}
