// What is wrong with a request's head, judged before anything looks at the request; llhttp has refused what is no HTTP, and
// heads of more than 16 KiB. And whose credentials are in it.
import type { IncomingMessage } from "node:http";
import { isLoopback } from "../config/config.ts";

export interface HeadProblem {
  status: 400 | 431;
  text: string;
}

export interface HeadCheckOptions {
  /** Whether a page whose name was made to point here is refused. */
  loopbackOnly: boolean;
}

/** A browser sends some 20. Node drops what is beyond 2,000 without a word, so more must never come to count. */
const MOST_HEADERS = 100;

export function createHeadCheck({ loopbackOnly }: HeadCheckOptions): (request: IncomingMessage) => HeadProblem | null {
  /** The one that was right last: nearly all are the same. */
  let known: string | undefined;

  /** Whatever is behind builds addresses of it. HTTP/1.0 sends none; of two, whoever is in front may have taken the other. */
  function hasUsableHost({ headers: { host }, rawHeaders }: IncomingMessage): boolean {
    if (host === undefined) return true;
    if (!isNamedOnce("host", rawHeaders)) return false;
    if (host !== known && !isUsableHost(host, loopbackOnly)) return false;
    known = host;
    return true;
  }
  return (request) => {
    if (request.rawHeaders.length > 2 * MOST_HEADERS) return { status: 431, text: "There are too many headers.\n" };
    return hasUsableHost(request) ? null : { status: 400, text: "The Host header is not of this gateway.\n" };
  };
}

function isUsableHost(host: string, loopbackOnly: boolean): boolean {
  if (!/^[\w.\-:[\]]+$/.test(host)) return false;
  if (!loopbackOnly) return URL.canParse(`http://${host}`);
  const url = URL.parse(`http://${host}`);
  return url !== null && isLoopback(url.hostname.replace(/^\[|\]$/g, ""));
}

/** The Authorization header. One that comes twice is none: whoever is in front may have judged the other than Node gives. */
export function authorizationOf({ headers: { authorization }, rawHeaders }: IncomingMessage): string | undefined {
  return authorization !== undefined && isNamedOnce("authorization", rawHeaders) ? authorization : undefined;
}

/** `name` in lower case. */
function isNamedOnce(name: string, rawHeaders: readonly string[]): boolean {
  let times = 0;
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const header = rawHeaders[at] as string;
    // By its length first: most names are passed without a copy.
    if (header.length === name.length && header.toLowerCase() === name) times += 1;
  }
  return times === 1;
}
