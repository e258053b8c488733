// What every answer tells a browser not to do with it; a page of ours says by itself what it needs.
import type { ServerResponse } from "node:http";

const GUARDS = {
  "x-content-type-options": "nosniff",
  "x-frame-options": "DENY",
  "referrer-policy": "no-referrer",
  "cross-origin-opener-policy": "same-origin",
  "content-security-policy": "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
};

/** GraphiQL is one page with its scripts, styles and workers in it; it talks to this gateway alone. */
const GRAPHIQL = [
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

export function guard(response: ServerResponse): void {
  for (const [name, value] of Object.entries(GUARDS)) response.setHeader(name, value);
}

export function guardGraphiql(response: ServerResponse): void {
  response.setHeader("content-security-policy", GRAPHIQL);
}
