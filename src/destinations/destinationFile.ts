// The definition of a destination, as DESTINATIONS_FILE has it.
import { resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { z } from "zod";
import { readListFile } from "../auth/listFile.ts";
import { scopes } from "../auth/scopes.ts";
import { bucketAddressings, bucketFault, bucketIdentity, printable } from "../config/recordingsConfig.ts";
import type { EventFilter } from "../events/eventLog.ts";
import type { HostRules } from "../upstream/outside/hostRules.ts";
import { chatKinds, kindAt, type ChatKind } from "./alerts/chats.ts";
import { brokerAddressOf, memberFault, type BrokerAddress } from "./brokers/brokerAddress.ts";

/** What other parts of the gateway know of a definition. Each returns what is wrong, as the end of a sentence. */
export interface DestinationRules {
  hosts: Pick<HostRules, "check" | "refusalOf">;
  /** Reads a filter of the graph (CallEndedFilter). */
  readFilter(filter: unknown, held: readonly string[]): { filter: EventFilter } | { fault: string };
  /** Whether the bodies of webhooks are kept (RAW_DELIVERY_DAYS). */
  keepsBodies: boolean;
  /** Checks the fields of CallEnded that are sent. Null: they can be selected with these scopes. */
  selectionFault(selection: string, held: readonly string[]): string | null;
  /** Checks the document of TRUSTED_DOCUMENTS that is sent, by its ID. Null: it can run for each event. */
  documentFault(id: string, held: readonly string[]): string | null;
}

const MAX_DESTINATIONS = 100;
const MAX_IN_FLIGHT = 32;
/** Standard Webhooks: 24 to 64 bytes. */
const SECRET = /^whsec_([A-Za-z0-9+/]{4})*([A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/;
const SECRET_RULE = "must be whsec_ and 24 to 64 bytes in Base64";

const secret = z.string().refine((text) => {
  const bytes = Buffer.from(text.slice("whsec_".length), "base64").length;
  return SECRET.test(text) && bytes >= 24 && bytes <= 64;
}, SECRET_RULE);

/** A cursor is a number in ten digits, or encrypted, with a signature. */
const FROM = /^(now|oldest|[\w-]{26,64})$/;

const NAME_RULE = "must have 1 to 40 lower-case letters, digits and hyphens, and begin with a letter";

const common = {
  name: z.string().regex(/^[a-z][a-z0-9-]{0,39}$/, NAME_RULE),
  url: z.string(),
  filter: z.record(z.string(), z.unknown()).default({}),
  imported: z.boolean().default(false),
  order: z.enum(["strict", "free"]).default("free"),
  maxInFlight: z.int().min(1, "must be at least 1").max(MAX_IN_FLIGHT).default(4),
  ratePerMinute: z.int().min(1, "must be at least 1").max(1_000_000).optional(),
  enabled: z.boolean().default(true),
  from: z.string().regex(FROM, "must be now, oldest or a cursor of this log").default("now"),
};

/** What is shown of an event. */
const shown = {
  scopes: z.array(z.enum(scopes)).default(["calls:read"]),
  revisions: z.boolean().default(false),
  selection: z.string().min(1).max(10_000).optional(),
  document: z.string().min(1).max(256).optional(),
};

const eventKind = z.strictObject({
  ...common,
  ...shown,
  kind: z.literal("event"),
  alerts: z.boolean().default(false),
  secrets: z.array(secret).min(1).max(2),
});

/** `url`: file:/// and the path of a folder. */
const folderKind = z.strictObject({ ...common, ...shown, kind: z.literal("folder") });

/** `url`: the address of an S3-compatible bucket, as RECORDINGS_S3_URL has it. */
const bucketKind = z.strictObject({
  ...common,
  ...shown,
  kind: z.literal("bucket"),
  addressing: z.enum(bucketAddressings).optional(),
  region: printable.optional(),
  accessKeyId: printable,
  secretAccessKey: printable,
  sessionToken: printable.optional(),
});

/** `url`: redis: or rediss:, with the key of a stream; or nats: or tls:, with a subject. */
const brokerKind = z.strictObject({
  ...common,
  ...shown,
  kind: z.literal("broker"),
  stream: z.string().min(1).max(512).optional(),
  subject: z.string().optional(),
  maxLength: z.int().min(1, "must be at least 1").optional(),
  user: z.string().min(1).optional(),
  password: z.string().min(1).optional(),
});

/** Everything that the service would have sent to the receiver: also what a later webhook adds. */
const asItCameKind = z.strictObject({
  ...common,
  kind: z.literal("asItCame"),
  revisions: z.boolean().default(true),
  authorization: z.string().regex(/^[\x20-\x7e]+$/, "must be printable ASCII"),
});

/** Chats, which get alerts and no calls. */
const chat = {
  name: common.name,
  url: common.url,
  language: z.enum(["en", "zh"]).default("en"),
  enabled: common.enabled,
};
const chatKind = z.strictObject({ ...chat, kind: z.literal(["slack", "wecom"]) });
/** `secret`: the key of a robot that takes signed messages only. */
const signedChatKind = z.strictObject({
  ...chat,
  kind: z.literal(["dingtalk", "feishu"]),
  secret: printable.optional(),
});
export type ChatDestination = z.output<typeof chatKind | typeof signedChatKind>;

const KIND_RULE = `must be event, asItCame, folder, bucket, broker, ${chatKinds.slice(0, -1).join(", ")} or ${chatKinds.at(-1)}`;
const definition = z.discriminatedUnion(
  "kind",
  [eventKind, asItCameKind, folderKind, bucketKind, brokerKind, chatKind, signedChatKind],
  {
    error: (issue) => (issue.code === "invalid_union" ? KIND_RULE : undefined),
  },
);

export type DestinationDefinition = Exclude<z.output<typeof definition>, ChatDestination>;
type WithFilter<Definition> = Definition extends unknown ? Omit<Definition, "filter"> & { filter: EventFilter } : never;
/** One that gets calls. */
export type Destination = WithFilter<DestinationDefinition>;
export type AnyDestination = Destination | ChatDestination;
type Kind = { kind: AnyDestination["kind"] };
export const isChat = <Each extends Kind>(each: Each): each is Extract<Each, { kind: ChatKind }> =>
  chatKinds.some((kind) => kind === each.kind);
export const getsCalls = (destination: AnyDestination): destination is Destination => !isChat(destination);
export const getsAlerts = (destination: AnyDestination): boolean =>
  isChat(destination) || (destination.kind === "event" && destination.alerts);

const definitionsOf = (rules: DestinationRules) =>
  z
    .array(definition)
    .max(MAX_DESTINATIONS)
    .transform((list, context) =>
      list.map((each, at): AnyDestination => {
        const fault = (member: string, message: string) =>
          context.addIssue({ code: "custom", path: [at, member], message });
        if (list.findIndex(({ name }) => name === each.name) !== at) fault("name", "is that of another entry, too");
        const bucket = each.kind === "bucket" ? bucketFault(each) : null;
        const checked = bucket ?? addressOf(each, rules.hosts);
        if (Array.isArray(checked)) fault(...checked);
        else if (typeof checked === "string") fault("url", refusalOf(checked));
        else if (each.kind === "broker" && "database" in checked) {
          const wrong = memberFault(checked, each);
          if (wrong) fault(...wrong);
        }
        const other = list.slice(0, at).find((one) => isSamePlace(one, each));
        if (other)
          fault("url", `is that of ${other.name}, too: two destinations would take each other's files for their own`);
        const only = checked instanceof URL ? kindAt(checked) : null;
        if (each.enabled && only !== null && only !== each.kind)
          fault("kind", `must be ${only}, which alone this address understands`);
        if (isChat(each)) return each;
        if (each.kind !== "asItCame") {
          const { selection, document } = each;
          if (!each.scopes.includes("calls:read")) {
            fault("scopes", "must have calls:read");
            return { ...each, filter: {} };
          }
          if (selection !== undefined && document !== undefined) fault("document", "and selection exclude each other");
          const selectionFault = selection === undefined ? null : rules.selectionFault(selection, each.scopes);
          if (selectionFault !== null) fault("selection", selectionFault);
          const isChecked = document !== undefined && selection === undefined;
          const documentFault = !isChecked ? null : rules.documentFault(document, each.scopes);
          if (documentFault !== null) fault("document", documentFault);
        } else if (!rules.keepsBodies) fault("kind", "needs RAW_DELIVERY_DAYS of at least 1");
        // The whole body shows more than any filter.
        const read = rules.readFilter(each.filter, each.kind === "asItCame" ? scopes : each.scopes);
        if ("fault" in read) fault("filter", read.fault);
        return { ...each, filter: "filter" in read ? read.filter : {} };
      }),
    );

/** Whether two destinations would write files under the same names. The second one would leave out what it takes for written. */
function isSamePlace(one: z.output<typeof definition>, other: z.output<typeof definition>): boolean {
  if (!one.enabled || !other.enabled) return false;
  if (one.kind === "folder" && other.kind === "folder") return folderPath(one.url) === folderPath(other.url);
  if (one.kind !== "bucket" || other.kind !== "bucket" || bucketFault(one) || bucketFault(other)) return false;
  return bucketIdentity(one) === bucketIdentity(other);
}
function folderPath(text: string): string {
  const url = folderOf(text);
  return typeof url === "string" ? text : resolve(fileURLToPath(url));
}

/** What is wrong with the address is a text. */
function addressOf(
  { kind, url }: z.output<typeof definition>,
  hosts: DestinationRules["hosts"],
): BrokerAddress | URL | string {
  if (kind === "folder") return folderOf(url);
  return kind === "broker" ? brokerAddressOf(url, hosts) : hosts.check(url);
}

function folderOf(text: string): URL | string {
  const url = URL.parse(text);
  const isFolder =
    url?.protocol === "file:" && url.host === "" && url.search === "" && url.hash === "" && !/%(2f|00)/i.test(text);
  return isFolder && text.startsWith("file:///") && url.pathname !== "/" && isDecodable(url.pathname)
    ? url
    : "must be file:/// and the path of a folder";
}

/** Whether each `%` begins a character of UTF-8. */
function isDecodable(path: string): boolean {
  try {
    return decodeURIComponent(path) !== "";
  } catch {
    return false;
  }
}

/** `The link is refused: it is not https.` → `is refused: it is not https` */
const refusalOf = (text: string) => text.replace(/^The link /, "").replace(/\.$/, "");

/** Throws as readListFile does. */
export const readDestinations = (file: string, rules: DestinationRules): Promise<AnyDestination[]> =>
  readListFile(file, definitionsOf(rules), (entry) => ("name" in entry ? entry.name : undefined));
