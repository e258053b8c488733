// GraphiQL for browsers: one page of nine megabytes, with its scripts, styles and workers. It is served without credentials,
// so it must cost little: it is rendered and compressed once, and all responses are sent from the same bytes.
import type { IncomingMessage, ServerResponse } from "node:http";
import { promisify } from "node:util";
import { gzip } from "node:zlib";
import { encodedBody, sendEncoded, type EncodedBody } from "../encodedBody.ts";
import { GRAPHIQL_HEADERS, type ResponseHeaders } from "../securityHeaders.ts";
import { withKeyField } from "./graphiqlKey.ts";
import { LOOK_SCRIPT, LOOK_STYLE } from "./graphiqlLook.ts";

export type PageHandler = (
  request: IncomingMessage,
  response: ServerResponse,
  headers: ResponseHeaders,
) => Promise<void>;

const CONTENT_HEADERS: ResponseHeaders = {
  "content-type": "text/html; charset=utf-8",
  "cache-control": "no-cache",
  vary: "origin, accept, accept-encoding",
};

export function createGraphiqlPage(render: () => Promise<string>): PageHandler {
  let rendered: Promise<EncodedBody> | null = null;
  const page = () =>
    (rendered ??= render()
      .then(encode)
      .catch((error: unknown) => {
        // The next request tries again.
        rendered = null;
        throw error;
      }));
  return async (request, response, headers) => {
    await sendEncoded(request, response, await page(), { ...headers, ...GRAPHIQL_HEADERS, ...CONTENT_HEADERS });
  };
}

async function encode(html: string): Promise<EncodedBody> {
  const plain = Buffer.from(html);
  return encodedBody(plain, [{ encoding: "gzip", bytes: await promisify(gzip)(plain) }]);
}

/** `asksForKey`: whether the gateway refuses requests without credentials. */
export async function renderPage({ asksForKey }: { asksForKey: boolean }): Promise<string> {
  const { renderGraphiQL } = await import("@graphql-yoga/render-graphiql");
  const html = renderGraphiQL(GRAPHIQL)
    .replace("<head>", () => `<head><script>${STORAGE_SCRIPT}${LOOK_SCRIPT}${TAB_SCRIPT}</script>`)
    .replace("</head>", () => `<style>${LOOK_STYLE}</style></head>`);
  return asksForKey ? withKeyField(html) : html;
}

/**
 * Runs first. A browser that keeps nothing throws where storage is named
 * (https://developer.mozilla.org/docs/Web/API/Window/sessionStorage#exceptions): then the page keeps it until it is left.
 */
const STORAGE_SCRIPT = `
(() => {
  for (const name of ["localStorage", "sessionStorage"])
    try {
      window[name].getItem("");
    } catch {
      const kept = new Map();
      const value = {
        getItem: (entry) => kept.get(entry) ?? null,
        setItem: (entry, text) => void kept.set(entry, String(text)),
        removeItem: (entry) => void kept.delete(entry),
        clear: () => kept.clear(),
      };
      Object.defineProperty(window, name, { value });
    }
})();
`;

/**
 * Runs before GraphiQL. Nothing that is typed outlives the tab: GraphiQL keeps it in the tab's storage, and no query in the address, which
 * stays in the browser's history. What earlier versions kept for every later tab goes.
 */
const TAB_SCRIPT = `
(() => {
  for (const name of Object.keys(localStorage)) if (name.startsWith("graphiql:")) localStorage.removeItem(name);
  for (const name of ["getItem", "setItem", "removeItem"]) {
    const method = Storage.prototype[name];
    Storage.prototype[name] = (...values) => method.apply(sessionStorage, values);
  }
  history.replaceState = () => {};
})();
`;

const DEFAULT_QUERY = `# The latest calls, in the order of the service.
query Today {
  callLogs(first: 20) {
    totalCount
    nodes { sessionId direction caller callee startAt answered task { name status progress } }
  }
}

# Each call when it ends.
subscription Live {
  callEnded { cursor sessionId direction caller callee endAt hungUpBy hangupReason task { name } }
}
`;

/** That of the console. */
const ICON = `data:image/svg+xml,${encodeURIComponent(
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><rect width="32" height="32" rx="7" fill="#5b4be0"/><path d="M9 8h9a4 4 0 0 1 0 8h-4a4 4 0 0 0 0 8" fill="none" stroke="#fff" stroke-width="3" stroke-linecap="round"/><circle cx="23" cy="24" r="2.2" fill="#fff"/></svg>',
)}`;

/**
 * SSE, because GraphiQL's header editor cannot set the credentials of a WebSocket. POST, because a GET would write variables into
 * URLs.
 */
const GRAPHIQL = {
  title: "Switchboard",
  favicon: ICON,
  subscriptionsProtocol: "SSE",
  method: "POST",
  defaultQuery: DEFAULT_QUERY,
  // A key that is typed there goes with the page.
  shouldPersistHeaders: false,
} as const;
