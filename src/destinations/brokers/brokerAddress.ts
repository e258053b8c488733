// The address of a broker, as a destination of the file has it.
import type { HostRules, OutsideServer } from "../../upstream/outside/hostRules.ts";

export interface BrokerAddress extends OutsideServer {
  kind: "redis";
  /** The number of the database in Redis. */
  database: number;
}

const PROTOCOLS: Record<string, Pick<BrokerAddress, "kind" | "port" | "isEncrypted">> = {
  "redis:": { kind: "redis", port: 6379, isEncrypted: false },
  "rediss:": { kind: "redis", port: 6379, isEncrypted: true },
};
const RULE = "must be redis:// or rediss://, a host, and a port, such as rediss://redis.example:6379";

/** The address, or what is wrong with it, as the end of a sentence or as a refusal of the rules. */
export function brokerAddressOf(text: string, rules: Pick<HostRules, "refusalOf">): BrokerAddress | string {
  const url = /[\\\p{Cc}\s]/u.test(text) ? null : URL.parse(text);
  const protocol = PROTOCOLS[url?.protocol ?? ""];
  if (!url || !protocol) return RULE;
  if (url.username !== "" || url.password !== "") return "must have no user or password: they are members of their own";
  // Hosts of other protocols than those of the web are not parsed by the URL: upper case, 0x7f.1 and others stay as they are.
  const host = URL.parse(`http://${url.hostname}`)?.hostname ?? "";
  const database = /^\/?(\d{0,4})$/.exec(url.pathname)?.[1];
  if (host === "" || database === undefined || url.search !== "" || url.hash !== "") return RULE;
  const address = { ...protocol, host, port: Number(url.port || protocol.port), database: Number(database) };
  return rules.refusalOf(address) ?? address;
}
