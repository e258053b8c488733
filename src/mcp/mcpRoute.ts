// POST /mcp: checks the origin, the credentials and the body, and gives the request to the protocol's library. The library checks neither
// origin nor credentials.
import type { IncomingMessage, ServerResponse } from "node:http";
import type { AdmitRequest } from "../auth/credentialCache.ts";
import type { FailureLimit } from "../auth/failureLimit.ts";
import { BODY_LIMITS } from "../config/limits.ts";
import type { Logger } from "../logger.ts";
import type { BodyBudget } from "../server/body/bodyBudget.ts";
import { readBody } from "../server/body/readBody.ts";
import { addressOf } from "../server/connections/clientAddress.ts";
import { addressKey, viewerKey, type ConnectionQuota } from "../server/connections/connectionQuota.ts";
import { sendJson, sendRefusal, type Refusal } from "../server/httpResponse.ts";
import { originOf, type OriginPolicy } from "../server/originPolicy.ts";
import {
  foreignHost,
  foreignOrigin,
  overBodyBudget,
  refusalOfAdmission,
  retryLater,
  tooLargeForAgents,
  tooManyStreams,
  unauthenticated,
  wrongAgentMethod,
  wrongType,
} from "../server/refusals.ts";
import { authorizationOf, isPlainJson } from "../server/requestHead.ts";
import { decodeText } from "../util/textFile.ts";
import type { TimeSlices } from "../util/timeSlices.ts";
import { NOTHING_ALLOWED, type AgentViewers, type AllowableScope } from "./agentViewer.ts";
import type { Discovery } from "./discovery.ts";
import type { McpProtocol } from "./mcpServer.ts";
import { readMessage } from "./readMessage.ts";
import { sendAnswer, toFetchRequest } from "./sendAnswer.ts";

export interface McpRouteDeps {
  admit: AdmitRequest;
  agents: AgentViewers;
  challenge: Discovery["challenge"];
  /** Loads the protocol's library. */
  protocol: () => Promise<McpProtocol>;
  failureLimit: FailureLimit;
  connectionQuota: ConnectionQuota;
  bodyBudget: BodyBudget;
  originPolicy: Pick<OriginPolicy, "allows" | "siteOf" | "knowsHost">;
  /** False for a gateway without authentication, where all viewers are the same. */
  knowsViewers: boolean;
  trustedProxies: number;
  slices: TimeSlices;
  /** Whether the gateway has a page where people can approve. */
  hasConsole: boolean;
  /** Where people reach it (PUBLIC_URL). Null: where the agent did. */
  publicUrl: string | null;
  log: Logger;
}

export function createMcpRoute(deps: McpRouteDeps) {
  const { admit, agents, challenge, protocol, failureLimit, connectionQuota, bodyBudget, originPolicy, knowsViewers } =
    deps;
  const { trustedProxies, slices, hasConsole, publicUrl, log } = deps;

  return async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const refuse = (refusal: Refusal) => sendRefusal(request, response, refusal, log);
    if (request.method === "OPTIONS") return void response.writeHead(204).end();
    // A page of another site, also one whose DNS name was made to point at this machine.
    if (!originPolicy.allows(request)) return refuse(foreignOrigin);
    // Without credentials, such a page may also be of the same origin by its own name.
    if (!knowsViewers && !originPolicy.knowsHost(request)) return refuse(foreignHost);
    if (request.method !== "POST") return refuse(wrongAgentMethod);
    const address = addressOf(request, trustedProxies);
    const credentials = authorizationOf(request);
    const admitted = await Promise.resolve()
      .then(() => admit(credentials, address, request.socket))
      .catch(refusalOfAdmission);
    if (response.destroyed) return;
    if (admitted && "status" in admitted) return refuse(admitted);
    const known = admitted?.viewer() ?? null;
    const viewer = known && agents.viewerOf(known, NOTHING_ALLOWED);
    if (!admitted || !viewer) return refuse(challenge(unauthenticated(credentials), request));
    const refuseViewer = (refusal: Refusal) => {
      const overLimit = failureLimit.record(viewer.name);
      refuse(overLimit ? retryLater(overLimit, 429) : refusal);
    };
    if (!isPlainJson(request)) return refuseViewer(wrongType);
    const caller = knowsViewers ? viewerKey(viewer.name) : addressKey(address);
    // A tool may wait for events: its connection counts like a stream.
    const release = connectionQuota.acquire(caller);
    if (!release) return refuseViewer(tooManyStreams);
    response.once("close", release);
    const body = await readBody(request, BODY_LIMITS.mcp, () => bodyBudget.open(caller, response));
    if (typeof body === "string") return refuseViewer(body === "too large" ? tooLargeForAgents : overBodyBudget);
    const turn = slices.waitForSlice(viewer.name);
    if (turn) await turn;
    if (response.destroyed) return;
    const { message, id, fault } = readMessage(decodeText(body));
    if (fault) {
      const overLimit = failureLimit.record(viewer.name);
      if (overLimit) return refuse(retryLater(overLimit, 429));
      return sendJson(response, 400, { jsonrpc: "2.0", id, error: fault });
    }
    const approveAt = hasConsole ? `${publicUrl ?? originOf(request, originPolicy)}/tasks` : null;
    const session = {
      grantWith: (allowed: ReadonlySet<AllowableScope>) => agents.grantOf(admitted, allowed),
      approveAt,
    };
    const { answer } = await protocol();
    await sendAnswer(request, response, await answer(toFetchRequest(request, response), message, session), id);
  };
}
