// DATABASE_URL of PostgreSQL may name several hosts, as libpq has it: postgres://user@one:5432,two:5432/calls. Drivers of Node
// know one host, so this makes one address for each.

const PARTS = /^(?<before>postgres(?:ql)?:\/\/(?:[^/?#]*@)?)(?<hosts>[^/?#@]*)(?<after>.*)$/s;

/** One address for each host, in order. A file stays as it is. */
export function databaseUrls(url: string): string[] {
  const { before = "", hosts = "", after = "" } = PARTS.exec(url)?.groups ?? {};
  if (!hosts.includes(",")) return [url];
  return hosts.split(",").map((host) => `${before}${host}${after}`);
}

/** The hosts without credentials; for a file its path. */
export function displayedDatabase(url: string): string {
  if (url.startsWith("file:")) return url.slice("file:".length);
  const hosts = databaseUrls(url).map((one) => URL.parse(one)?.host ?? "");
  return hosts.join();
}
