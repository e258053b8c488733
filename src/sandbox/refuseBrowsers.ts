// Keeps pages in a browser away from the sandbox, which serves programs and has no page of its own. Another site's page is known
// by its Origin, and one whose name was made to point here (DNS rebinding) by its Host.
import type { IncomingMessage } from "node:http";
import { Refusal } from "./api/respond.ts";

/**
 * What is wrong with a request's head, to be judged before its body is read; null: nothing. `listensOn`: an address that is
 * not loopback is known to its callers by names that are not known here.
 */
export function createPageCheck(listensOn: string): (request: IncomingMessage) => Refusal | null {
  const isHost = isLoopback(listensOn) ? isLoopbackHost : () => true;
  return ({ url = "", headers, headersDistinct: { host = [] } }) => {
    if (host.length > 1 || !host.every(isHost)) return refuse(400, "the Host header is not of this sandbox");
    const isOfPage = headers.origin !== undefined || (isApi(url) && (headers["sec-fetch-site"] ?? "none") !== "none");
    return isOfPage ? refuse(403, "the sandbox is for programs, not for pages") : null;
  };
}

/** An image or a frame of a page has no Origin. Recordings may be played, and the front page be linked to. */
const isApi = (url: string) => url.startsWith("/openapi") || url.startsWith("/sandbox");

const refuse = (status: number, message: string) => new Refusal(status, message, { connection: "close" });

/** A name with a port or without. */
function isLoopbackHost(host: string): boolean {
  const url = /^[\w.\-:[\]]+$/.test(host) ? URL.parse(`http://${host}`) : null;
  return url !== null && isLoopback(url.hostname.replace(/^\[|\]$/g, ""));
}

function isLoopback(name: string): boolean {
  return name === "localhost" || name === "::1" || /^127(\.\d{1,3}){3}$/.test(name);
}
