// `npm run docs`: serves the documentation as a gateway does, and builds it anew at a visit after a source changed. PORT: where (4100).
import { createServer } from "node:http";
import { setHeaders, SECURITY_HEADERS } from "../../src/server/securityHeaders.ts";
import { createDocsRoute } from "../../src/server/routes/docsRoute.ts";
import { createStaticFiles } from "../../src/server/staticFiles.ts";
import { buildSite } from "./buildSite.ts";
import { DIST, isBuilt } from "./sources.js";

const DEFAULT_PORT = 4100;

const route = createDocsRoute(createStaticFiles(DIST));
let building: Promise<void> | null = null;
const build = () => (building ??= buildSite().finally(() => (building = null)));

const server = createServer((request, response) => {
  const isPage = !/\.(?:js|css|json|png|svg)$/.test(request.url ?? "");
  void (isPage && !isBuilt() ? build() : Promise.resolve())
    .then(async () => {
      setHeaders(response, SECURITY_HEADERS);
      if (request.url?.startsWith("/docs")) await route?.(request, response);
      else response.writeHead(302, { location: "/docs/" }).end();
    })
    .catch((error: unknown) => {
      process.stderr.write(`${String(error)}\n`);
      response.writeHead(500, { "content-type": "text/plain; charset=utf-8" }).end(`${String(error)}\n`);
    });
});

if (!isBuilt()) await build();
server.listen(Number(process.env["PORT"] ?? DEFAULT_PORT), "127.0.0.1", () => {
  const address = server.address();
  const port = typeof address === "object" && address ? address.port : DEFAULT_PORT;
  process.stdout.write(`The documentation is at http://127.0.0.1:${port}/docs/. Ctrl+C stops it.\n`);
});
