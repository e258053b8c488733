// The address of a broker, as a destination of the file has it.
import type { HostRules, OutsideServer } from "../../upstream/outside/hostRules.ts";
import { templateFault } from "./natsSubject.ts";

export interface BrokerAddress extends OutsideServer {
  kind: "redis" | "nats";
  /** The number of the database in Redis. */
  database: number;
}

const PROTOCOLS: Record<string, Pick<BrokerAddress, "kind" | "port" | "isEncrypted">> = {
  "redis:": { kind: "redis", port: 6379, isEncrypted: false },
  "rediss:": { kind: "redis", port: 6379, isEncrypted: true },
  "nats:": { kind: "nats", port: 4222, isEncrypted: false },
  "tls:": { kind: "nats", port: 4222, isEncrypted: true },
};
const RULE = "must be redis://, rediss://, nats:// or tls://, a host, and a port, such as rediss://redis.example:6379";

/** The address, or what is wrong with it, as the end of a sentence or as a refusal of the rules. */
export function brokerAddressOf(text: string, rules: Pick<HostRules, "refusalOf">): BrokerAddress | string {
  const url = /[\\\p{Cc}\s]/u.test(text) ? null : URL.parse(text);
  const protocol = PROTOCOLS[url?.protocol ?? ""];
  if (!url || !protocol) return RULE;
  if (url.username !== "" || url.password !== "") return "must have no user or password: they are members of their own";
  // Hosts of other protocols than those of the web are not parsed by the URL: upper case, 0x7f.1 and others stay as they are.
  const host = URL.parse(`http://${url.hostname}`)?.hostname ?? "";
  const database = /^\/?(\d{0,4})$/.exec(url.pathname)?.[1];
  const isPathFit = database === "" || (database !== undefined && protocol.kind === "redis");
  if (host === "" || !isPathFit || url.search !== "" || url.hash !== "") return RULE;
  const address = { ...protocol, host, port: Number(url.port || protocol.port), database: Number(database) };
  return rules.refusalOf(address) ?? address;
}

/** Settings that one kind of brokers has, and the other has not. */
export interface BrokerMembers {
  stream?: string | undefined;
  maxLength?: number | undefined;
  subject?: string | undefined;
}

/** The member that is wrong, and how, as the end of a sentence. Null: none is. */
export function memberFault({ kind }: BrokerAddress, members: BrokerMembers): [keyof BrokerMembers, string] | null {
  const needed = kind === "redis" ? "stream" : "subject";
  const others = kind === "redis" ? (["subject"] as const) : (["stream", "maxLength"] as const);
  if (members[needed] === undefined) return [needed, "is missing"];
  const other = others.find((each) => members[each] !== undefined);
  if (other !== undefined) return [other, `is not one of ${kind === "redis" ? "Redis" : "NATS"}`];
  const fault = members.subject === undefined ? null : templateFault(members.subject);
  return fault === null ? null : ["subject", fault];
}
