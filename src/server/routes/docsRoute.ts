// GET /docs and below: the documentation, pages with files. They need no credentials and hold no data.
import type { IncomingMessage, ServerResponse } from "node:http";
import { sendEncoded } from "../encodedBody.ts";
import { sendText } from "../httpResponse.ts";
import { DOCS_HEADERS, SECURITY_HEADERS, type ResponseHeaders } from "../securityHeaders.ts";
import { INDEX, type StaticFiles } from "../staticFiles.ts";

export const DOCS_PATH = "/docs";

const PAGE_HEADERS: ResponseHeaders = { ...DOCS_HEADERS, "cache-control": "no-cache" };
/** The names of assets have a digest of their content. */
const ASSET_HEADERS: ResponseHeaders = { ...DOCS_HEADERS, "cache-control": "public, max-age=31536000, immutable" };

const NOT_BUILT = `The documentation is not built yet. After npm start this takes some seconds, and this page loads again by itself.
To build it by hand: node site/build/buildSite.ts
`;
const ASSETS = "assets/";

/** `files`: null where the documentation is switched off, and then there is no route. */
export function createDocsRoute(files: StaticFiles | null) {
  if (!files) return null;
  return async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    if (request.method !== "GET" && request.method !== "HEAD")
      return sendText(response, 405, "", { allow: "GET, HEAD" });
    const [path = ""] = (request.url ?? "").split("?", 1);
    // Links are relative to the page's folder. So is this one, behind a proxy that puts a prefix before the path.
    if (path === DOCS_PATH) return sendText(response, 302, "See docs/.\n", { location: "docs/" });
    const name = path.slice(DOCS_PATH.length + 1);
    const isAsset = name.startsWith(ASSETS);
    const file = isAsset ? await files.asset(name.slice(ASSETS.length)) : await files.page(pageAt(name));
    if (file)
      return sendEncoded(request, response, file.body, {
        ...(isAsset ? ASSET_HEADERS : PAGE_HEADERS),
        "content-type": file.contentType,
      });
    if (await files.isBuilt()) return sendText(response, 404, "There is no such page. The first one is /docs/.\n");
    const headers = { ...SECURITY_HEADERS, "cache-control": "no-store", "retry-after": "3", refresh: "3" };
    sendText(response, 503, NOT_BUILT, headers);
  };
}

const pageAt = (name: string): string => (name === "" || name.endsWith("/") ? `${name}${INDEX}` : name);
