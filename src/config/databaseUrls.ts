// DATABASE_URL of PostgreSQL may name several hosts, as libpq has it: postgres://user@one:5432,two:5432/calls. Drivers of Node
// know one host, so this makes one address for each.

const PARTS = /^(?<before>postgres(?:ql)?:\/\/(?:[^/?#]*@)?)(?<hosts>[^/?#@]*)(?<after>.*)$/s;
const partsOf = (url: string) => PARTS.exec(url)?.groups ?? {};

/** libpq checks less in these modes, and the driver's next version will, too. */
const WEAKER_MODE = /(?<=[?&]sslmode=)(?:prefer|require|verify-ca)(?=&|$)/;

/** One address for each host, in order, of which each mode with TLS checks the certificate and its host. A file stays as it is. */
export function databaseUrls(url: string): string[] {
  const { before, hosts = "", after = "" } = partsOf(url);
  if (before === undefined) return [url];
  const checked = after.replace(WEAKER_MODE, "verify-full");
  return hosts.split(",").map((host) => `${before}${host}${checked}`);
}

/**
 * False if a user name or password has characters that are not encoded: programs then read a part of it as the host, and show it. An
 * address has no `@` behind its hosts, and no `#`.
 */
export function hasPlainCredentials(url: string): boolean {
  return !/[@#]/.test(partsOf(url)["after"] ?? "");
}

export const UNCHECKED_CERTIFICATE =
  "the certificate of PostgreSQL is not checked, so that others may pose as it. Use sslmode=verify-full";

/** Whether anybody on the way to the server may pose as it. */
export function skipsCertificate(url: string): boolean {
  return /[?&](?:ssl(?:mode)?=no-verify|uselibpqcompat=true)(?:&|$)/.test(url);
}

const FILE = "file:";

/** The path of SQLite's file, as it is written. Null: another database. */
export const fileOfDatabase = (url: string): string | null => (url.startsWith(FILE) ? url.slice(FILE.length) : null);

/** The hosts without credentials; for a file its path. */
export function displayedDatabase(url: string): string {
  const file = fileOfDatabase(url);
  if (file !== null) return file;
  if (!hasPlainCredentials(url)) return "at an address that is not valid";
  return databaseUrls(url).map(hostOf).join();
}

/** A socket of this machine is a folder, in the place of a host or in the query. */
function hostOf(url: string): string {
  const { host = "", searchParams } = URL.parse(url) ?? {};
  return percentDecoded(host || (searchParams?.get("host") ?? ""));
}

/** A shorter password protects nothing, and to mask it would make lines of the log unreadable. */
const MIN_MASKED = 4;

/**
 * The passwords of an address of PostgreSQL, as they are written and as they are sent. It may have one in its query. `other`: the one
 * that is used where the address has none.
 */
export function databasePasswords(url: string, other = ""): string[] {
  const { before = "", after = "" } = partsOf(url);
  const ofUser = /^[^:]*:\/\/[^:]*:(.*)@$/s.exec(before)?.[1] ?? "";
  const ofQuery = Array.from(after.matchAll(/[?&]password=([^&]*)/g), ([, text = ""]) => text);
  return [ofUser, ...ofQuery, other]
    .flatMap((text) => [text, percentDecoded(text)])
    .filter((text) => text.length >= MIN_MASKED);
}

/**
 * The address with this password, where it is one of PostgreSQL and has none. The driver would read PGPASSWORD itself, with a line break
 * or quotes that a file of variables leaves around it.
 */
export function withPassword(url: string, password: string | null): string {
  const { before, after = "" } = partsOf(url);
  if (password === null || before === undefined || /^[^:]*:\/\/[^:]*:.+@$/s.test(before)) return url;
  if (/[?&]password=[^&]/.test(after)) return url;
  return `${url}${after.includes("?") ? "&" : "?"}password=${encodeURIComponent(password)}`;
}

export interface DatabaseAddresses {
  /** With the password that it is used with. */
  databaseUrl: string;
  /** DATABASE_URL as it is written, and PGPASSWORD. */
  databaseAddress: { url: string; password: string | null };
}

export function databaseAddressesOf(vars: {
  DATABASE_URL: string;
  PGPASSWORD?: string | undefined;
}): DatabaseAddresses {
  const { DATABASE_URL: url, PGPASSWORD: password = null } = vars;
  return { databaseUrl: withPassword(url, password), databaseAddress: { url, password } };
}

/** A part of an address without its escapes; as it is where they are no valid ones. */
export function percentDecoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** Whether two addresses differ in nothing but the user and the password of PostgreSQL. */
export function isSameDatabase(one: string, other: string): boolean {
  const placeOf = (url: string) => {
    const { before, hosts, after = "" } = partsOf(url);
    return before === undefined ? url : hosts + after.replaceAll(/([?&])(?:user|password)=[^&]*/g, "$1");
  };
  return placeOf(one) === placeOf(other);
}
