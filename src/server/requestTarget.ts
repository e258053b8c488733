// What a request asks for, as its first line names it.
import type { IncomingMessage } from "node:http";

/** Path and query; a proxy may ask by the whole address, of which nothing else counts. */
export function targetOf({ url = "/" }: Pick<IncomingMessage, "url">): string {
  if (url.startsWith("/")) return url;
  const address = URL.parse(url);
  return address ? address.pathname + address.search : "";
}

/** Without its query. One trailing slash is accepted everywhere: a service's webhook page may add it. */
export function pathOf(target: string): string {
  const path = target.split("?", 1)[0] ?? "/";
  return path.length > 1 && path.endsWith("/") ? path.slice(0, -1) : path;
}
