// Serves an example's folder from an origin of its own, with the content security policy that a careful operator sets.
import { once } from "node:events";
import { readFile } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { extname, join, normalize } from "node:path";

export interface SiteServer extends AsyncDisposable {
  origin: string;
}

/** What a site's content security policy lets run and lets style, such as `'self'`. */
export interface SiteSources {
  script: string;
  style: string;
}

const TYPES: Record<string, string> = { ".html": "text/html", ".js": "text/javascript", ".css": "text/css" };

/** `gatewayUrl` is asked for each answer. */
export async function serveSite(folder: string, gatewayUrl: () => string, sources: SiteSources): Promise<SiteServer> {
  const server = createServer((request, response) => {
    const { pathname } = new URL(request.url ?? "/", "http://site.invalid");
    const path = join(folder, normalize(pathname === "/" ? "/index.html" : pathname));
    void readFile(path).then(
      (content) => {
        response.setHeader("content-type", `${TYPES[extname(path)] ?? "application/octet-stream"}; charset=utf-8`);
        response.setHeader("content-security-policy", policy(gatewayUrl(), sources));
        response.end(content);
      },
      () => response.writeHead(404).end(),
    );
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async [Symbol.asyncDispose]() {
      const closed = once(server, "close");
      server.close();
      server.closeAllConnections();
      await closed;
    },
  };
}

function policy(gatewayUrl: string, { script, style }: SiteSources): string {
  const gateway = `${gatewayUrl} ${gatewayUrl.replace("http", "ws")}`;
  const own = `script-src ${script}; style-src ${style}; img-src 'self' data:; connect-src ${gateway}`;
  return `default-src 'none'; ${own}; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`;
}
