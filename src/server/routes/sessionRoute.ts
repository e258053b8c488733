// POST /session opens a browser's session for the credentials of its Authorization header, and DELETE /session ends it.
import type { IncomingMessage, ServerResponse } from "node:http";
import type { Admit } from "../../auth/grant.ts";
import type { Sessions } from "../../auth/sessions.ts";
import type { Logger } from "../../logger.ts";
import { addressOf } from "../connections/clientAddress.ts";
import { sendJson, sendRefusal } from "../httpResponse.ts";
import type { OriginPolicy } from "../originPolicy.ts";
import { authorizationOf } from "../requestHead.ts";
import type { ResponseHeaders } from "../securityHeaders.ts";
import { writeCookie } from "../sessionCookie.ts";
import { needsTls, otherSite, refusalOfAdmission, unauthenticated, wrongSessionMethod } from "../refusals.ts";

export interface SessionRouteDeps {
  admit: Admit;
  /** Null: the gateway has no authentication, and needs no sessions. */
  sessions: Sessions | null;
  originPolicy: Pick<OriginPolicy, "allows" | "siteOf">;
  trustedProxies: number;
  clock: () => number;
  log: Logger;
}

export function createSessionRoute({ admit, sessions, originPolicy, trustedProxies, clock, log }: SessionRouteDeps) {
  return async (request: IncomingMessage, response: ServerResponse, headers: ResponseHeaders): Promise<void> => {
    const refuse = (refusal: Parameters<typeof sendRefusal>[2]) => sendRefusal(request, response, refusal, log);
    const { method } = request;
    if (method === "OPTIONS") return void response.writeHead(204).end();
    if (method !== "POST" && method !== "DELETE") return refuse(wrongSessionMethod);
    if (!originPolicy.allows(request)) return refuse(otherSite);
    const site = originPolicy.siteOf(request);
    const answer = (expiresAt: number | null, cookie: string | null) => {
      const own = { ...headers, "cache-control": "no-store", ...(cookie === null ? {} : { "set-cookie": cookie }) };
      const text = expiresAt === null ? null : new Date(expiresAt).toISOString();
      sendJson(response, 200, { expiresAt: text }, own);
    };
    if (method === "DELETE" || !sessions) return answer(null, sessions && writeCookie("", 0, site));
    const authorization = authorizationOf(request);
    // A session does not renew itself.
    const credentials = /^Session /i.test(authorization ?? "") ? undefined : authorization;
    const admitted = await Promise.resolve()
      .then(() => admit(credentials, addressOf(request, trustedProxies)))
      .catch(refusalOfAdmission);
    if (response.destroyed) return;
    if (admitted && "status" in admitted) return refuse(admitted);
    const session = admitted && sessions.open(admitted);
    if (!session) return refuse(unauthenticated(credentials));
    const cookie = writeCookie(session.text, session.expiresAt - clock(), site);
    if (cookie === null) return refuse(needsTls);
    answer(session.expiresAt, cookie);
  };
}
