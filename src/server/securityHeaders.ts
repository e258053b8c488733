// Headers that restrict what a browser does with a response.
import type { ServerResponse } from "node:http";

/** Names in lower case. */
export type ResponseHeaders = Readonly<Record<string, string>>;

/** For every response. */
export const SECURITY_HEADERS: ResponseHeaders = {
  "x-content-type-options": "nosniff",
  "x-frame-options": "DENY",
  "referrer-policy": "no-referrer",
  "cross-origin-opener-policy": "same-origin",
  "content-security-policy": "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
};

/** The page of GraphiQL contains its scripts, styles and workers, and requests only this gateway. The console shows it in a frame. */
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
  "frame-ancestors 'self'",
].join("; ");

export const GRAPHIQL_HEADERS: ResponseHeaders = {
  ...SECURITY_HEADERS,
  "x-frame-options": "SAMEORIGIN",
  "content-security-policy": GRAPHIQL_POLICY,
};

/** The console is files of this gateway, which request only this gateway. A recording plays from its address or from memory. */
const CONSOLE_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self'",
  "media-src 'self' blob:",
  "connect-src 'self'",
  "frame-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join("; ");

export const CONSOLE_HEADERS: ResponseHeaders = { ...SECURITY_HEADERS, "content-security-policy": CONSOLE_POLICY };

/** The documentation is files of this gateway, which request only its search index. */
const DOCS_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self'",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join("; ");

export const DOCS_HEADERS: ResponseHeaders = { ...SECURITY_HEADERS, "content-security-policy": DOCS_POLICY };

/** The flat list that writeHead handles fastest. A name must occur only once. */
export function headerList(...all: readonly ResponseHeaders[]): string[] {
  const list: string[] = [];
  for (const headers of all) for (const name in headers) list.push(name, headers[name] as string);
  return list;
}

/** For responses whose head is written elsewhere, which may replace these headers. */
export function setHeaders(response: ServerResponse, headers: ResponseHeaders): void {
  for (const [name, value] of Object.entries(headers)) response.setHeader(name, value);
}
