// Reads and checks the head of a request: target, Host, number of headers, Authorization. Node's parser has refused invalid
// HTTP and heads over 16 KiB before.
import type { IncomingMessage } from "node:http";
import { isLoopback } from "../config/config.ts";
import { CONNECTION_LIMITS } from "../config/limits.ts";
import type { Sender } from "../util/loopTurns.ts";
import { addressOf } from "./connections/clientAddress.ts";

/** Path and query. A proxy may send an absolute URL, whose scheme and host are ignored. */
export function targetOf({ url = "/" }: Pick<IncomingMessage, "url">): string {
  if (url.startsWith("/")) return url;
  const absolute = URL.parse(url);
  return absolute ? absolute.pathname + absolute.search : "";
}

/** The target without its query and one trailing slash, which the webhook settings of a service may add. */
export function pathOf(target: string): string {
  const path = target.split("?", 1)[0] ?? "/";
  return path.length > 1 && path.endsWith("/") ? path.slice(0, -1) : path;
}

export interface HeadProblem {
  status: 400 | 431;
  text: string;
}

export interface HeadCheckOptions {
  /** Whether Host must name the loopback. It refuses pages whose DNS name was made to point at this machine. */
  loopbackOnly: boolean;
}

/** Null: the head is accepted. */
export function createHeadCheck({ loopbackOnly }: HeadCheckOptions): (request: IncomingMessage) => HeadProblem | null {
  /** The last accepted value: nearly all requests have the same. */
  let acceptedHost: string | undefined;

  /** HTTP/1.0 needs no Host. With two, a proxy in front may have used the other one. */
  function hasUsableHost({ headers: { host }, rawHeaders }: IncomingMessage): boolean {
    if (host === undefined) return true;
    if (!occursOnce("host", rawHeaders)) return false;
    if (host !== acceptedHost && !isUsableHost(host, loopbackOnly)) return false;
    acceptedHost = host;
    return true;
  }
  return (request) => {
    if (request.rawHeaders.length > 2 * CONNECTION_LIMITS.headers)
      return { status: 431, text: `A request has at most ${CONNECTION_LIMITS.headers} headers.\n` };
    if (!hasUsableHost(request)) return { status: 400, text: "The Host header does not name this gateway.\n" };
    return null;
  };
}

function isUsableHost(host: string, loopbackOnly: boolean): boolean {
  if (!/^[\w.\-:[\]]+$/.test(host)) return false;
  if (!loopbackOnly) return URL.canParse(`http://${host}`);
  const url = URL.parse(`http://${host}`);
  return url !== null && isLoopback(url.hostname.replace(/^\[|\]$/g, ""));
}

/** The Authorization header; undefined also if it occurs twice, because a proxy in front may have checked the other one. */
export function authorizationOf({ headers: { authorization }, rawHeaders }: IncomingMessage): string | undefined {
  return authorization !== undefined && occursOnce("authorization", rawHeaders) ? authorization : undefined;
}

/** Whether the body is JSON in UTF-8, without content encoding. */
export function isPlainJson({ headers }: IncomingMessage): boolean {
  if (headers["content-type"] === "application/json" && headers["content-encoding"] === undefined) return true;
  const [type, ...parameters] = (headers["content-type"] ?? "").toLowerCase().split(";");
  const charset = parameters.map((parameter) => parameter.trim()).find((text) => text.startsWith("charset="));
  const isUtf8 = charset === undefined || /^charset="?utf-?8"?$/.test(charset);
  const isEncoded = (headers["content-encoding"] ?? "identity").toLowerCase() !== "identity";
  return type?.trim() === "application/json" && isUtf8 && !isEncoded;
}

/** `name` in lower case. */
function occursOnce(name: string, rawHeaders: readonly string[]): boolean {
  let count = 0;
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const header = rawHeaders[at] as string;
    // The length is compared first, so that most names are not copied to lower case.
    if (header.length === name.length && header.toLowerCase() === name) count += 1;
  }
  return count === 1;
}

/** Names who sent a request, before its viewer is known. */
export function senderOf(request: IncomingMessage, trustedProxies: number): Sender {
  const { authorization, cookie } = request.headers;
  return { address: addressOf(request, trustedProxies), credentials: authorization ?? cookie ?? "" };
}
