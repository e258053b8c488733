// What every answer tells a browser not to do with it; a page of ours says by itself what it needs.
import type { ServerResponse } from "node:http";

export type ResponseHeaders = Readonly<Record<string, string>>;

/** Of every answer, whatever it is. */
export const SECURITY_HEADERS: ResponseHeaders = {
  "x-content-type-options": "nosniff",
  "x-frame-options": "DENY",
  "referrer-policy": "no-referrer",
  "cross-origin-opener-policy": "same-origin",
  "content-security-policy": "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
};

/** GraphiQL is one page with its scripts, styles and workers in it; it talks to this gateway alone. */
const GRAPHIQL_POLICY = [
  "default-src 'none'",
  "script-src 'unsafe-inline' blob:",
  "worker-src blob: data:",
  "style-src 'unsafe-inline'",
  "font-src data:",
  "img-src data:",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join("; ");

export const GRAPHIQL_HEADERS: ResponseHeaders = { ...SECURITY_HEADERS, "content-security-policy": GRAPHIQL_POLICY };

/** All of them in the form that writeHead takes with the least ado. A name must not be in two of them. */
export function headerList(...heads: readonly ResponseHeaders[]): string[] {
  const list: string[] = [];
  for (const head of heads) for (const name in head) list.push(name, head[name] as string);
  return list;
}

/** For whatever writes its own head afterwards; what is set there again is what counts. */
export function setHeaders(response: ServerResponse, head: ResponseHeaders): void {
  for (const [name, value] of Object.entries(head)) response.setHeader(name, value);
}
