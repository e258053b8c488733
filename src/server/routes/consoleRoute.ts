// GET / and the views below it: the console, a page with files. They need no credentials and hold no data: the page asks the
// graph with the key of its viewer.
import type { IncomingMessage, ServerResponse } from "node:http";
import { gzipSync } from "node:zlib";
import { encodedBody, sendEncoded } from "../encodedBody.ts";
import { sendText } from "../httpResponse.ts";
import { pathOf } from "../requestHead.ts";
import { CONSOLE_HEADERS, SECURITY_HEADERS, type ResponseHeaders } from "../securityHeaders.ts";
import { INDEX, type StaticFile, type StaticFiles } from "../staticFiles.ts";

type Handler = (request: IncomingMessage, response: ServerResponse) => Promise<void> | void;

/** What the page says of the gateway, to everybody. */
export interface PageFacts {
  /** The documentation is at /docs. */
  docs: boolean;
  /** The gateway started the sandbox in place of a service. */
  sandbox: boolean;
}

export interface ConsoleRoutes {
  page: Handler;
  /** Below /assets/. */
  asset: Handler;
  /** A path that no route has: a browser gets the console's page, which says so. */
  unknown: Handler;
}

const PAGE_HEADERS: ResponseHeaders = { ...CONSOLE_HEADERS, "cache-control": "no-cache" };
/** The names of assets have a digest of their content. */
const ASSET_HEADERS: ResponseHeaders = { ...CONSOLE_HEADERS, "cache-control": "public, max-age=31536000, immutable" };

const NOT_BUILT = `The console is not built yet. After npm start this takes some seconds, and this page loads again by itself.
To build it by hand: npm run build -w switchboard-console
The graph does not need it: see /graphql.
`;

/** `files`: null where the console is switched off. */
export function createConsoleRoutes(files: StaticFiles | null, facts: PageFacts): ConsoleRoutes {
  const withFacts = createPage(facts);
  const indexPage = async () => {
    const built = await files?.page(INDEX);
    return built ? withFacts(built) : null;
  };
  const notFound = (response: ServerResponse) => sendText(response, 404, "There is nothing here.\n");
  const send = (
    request: IncomingMessage,
    response: ServerResponse,
    file: StaticFile,
    headers: ResponseHeaders,
    status = 200,
  ) => sendEncoded(request, response, file.body, { ...headers, "content-type": file.contentType }, status);

  return {
    async page(request, response) {
      if (!files) {
        if (pathOf(request.url ?? "") !== "/" || !isReading(request)) return notFound(response);
        return sendText(response, 302, "See /graphql.\n", { location: "/graphql" });
      }
      if (!isReading(request)) return sendText(response, 405, "", { allow: "GET, HEAD" });
      const page = await indexPage();
      if (page) return send(request, response, page, PAGE_HEADERS);
      const headers = { ...SECURITY_HEADERS, "cache-control": "no-store", "retry-after": "3", refresh: "3" };
      sendText(response, 503, NOT_BUILT, headers);
    },
    async asset(request, response) {
      if (!files) return notFound(response);
      if (!isReading(request)) return sendText(response, 405, "", { allow: "GET, HEAD" });
      const asset = await files.asset(pathOf(request.url ?? "").slice("/assets/".length));
      if (!asset) return notFound(response);
      return send(request, response, asset, ASSET_HEADERS);
    },
    async unknown(request, response) {
      const isPage = isReading(request) && request.headers.accept?.includes("text/html") === true;
      const page = isPage ? await indexPage() : null;
      return page ? send(request, response, page, PAGE_HEADERS, 404) : notFound(response);
    },
  };
}

const PLACE = '<meta name="switchboard" content="';

/** Writes the facts into the built page, once for each build. */
function createPage(facts: PageFacts): (built: StaticFile) => StaticFile {
  const words = [facts.docs && "docs", facts.sandbox && "sandbox"].filter(Boolean).join(" ");
  let last: { built: StaticFile; page: StaticFile } | null = null;
  return (built) => {
    if (last?.built !== built) {
      const text = Buffer.from(built.body.plain.toString().replace(PLACE, PLACE + words));
      const body = encodedBody(text, [{ encoding: "gzip", bytes: gzipSync(text) }]);
      last = { built, page: { ...built, body } };
    }
    return last.page;
  };
}

const isReading = ({ method }: IncomingMessage): boolean => method === "GET" || method === "HEAD";
