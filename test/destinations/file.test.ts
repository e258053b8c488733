// DESTINATIONS_FILE: what it may say, and how its faults are named.
import { writeFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { readDestinations } from "../../src/destinations/destinationFile.ts";
import { createDestinationRules, destinationHosts } from "../../src/gateway/destinationRules.ts";
import { schema } from "../../src/schema/schema.ts";
import { tempFile } from "../store/tempStore.ts";
import { SECRET } from "./receiver.ts";

const documents: Record<string, string> = {
  one: "query One($id: ID!) { node(id: $id) { ... on CallEnded { sessionId } } }",
  mutation: 'mutation ($id: ID!) { forgetPhone(number: "13800010001") { calls } node: __typename @skip(if: false) }',
  variable: "query ($id: ID!, $first: Int!) { node(id: $id) { id } callEndedEvents(first: $first) { nodes { id } } }",
  without: "query { gateway { version } }",
  scope: "query ($id: ID!) { node(id: $id) { ... on CallEnded { extra } } }",
  costly:
    "query ($id: ID!) { node(id: $id) { id } tasks(first: 100) { nodes { calls(first: 100) { nodes { id } } } } }",
};
const rules = createDestinationRules({
  schema,
  hosts: destinationHosts({ file: null, hosts: null }),
  keepsBodies: true,
  findTrusted: ({ documentId }) => {
    const query = documents[String(documentId)];
    return query === undefined ? null : { query };
  },
  queryBudget: 3,
  logBudget: 50,
});
const plain = { name: "crm", kind: "event", url: "https://crm.example/hook", secrets: [SECRET] };

function read(...entries: object[]) {
  const file = tempFile("destinations.json");
  writeFileSync(file, JSON.stringify(entries));
  return readDestinations(file, rules);
}
const broker = { kind: "broker", secrets: undefined, stream: "calls" };
const bucket = {
  kind: "bucket",
  secrets: undefined,
  url: "https://s3.example/calls",
  accessKeyId: "id",
  secretAccessKey: SECRET,
};
const DINGTALK = "oapi.dingtalk.com/robot/send?access_token=0";
const WECOM = "qyapi.weixin.qq.com/cgi-bin/webhook/send?key=0";
const WECOM_ALONE = "kind must be wecom, which alone this address understands";
const robot = (kind: string, host: string) => ({ kind, secrets: undefined, url: `https://${host}` });
const BUCKET_RULE =
  "url must be the address of a bucket, such as https://s3.example/bucket, without credentials or query";
const faultOf = (own: object) =>
  read({ ...plain, ...own }).then(
    () => "none",
    ({ message }: Error) => message.replace(/^cannot be used: entry 1 \(crm\): /i, ""),
  );

describe("DESTINATIONS_FILE", () => {
  it("has defaults for all that need not be said", async () => {
    expect(await read(plain)).toMatchObject([
      {
        scopes: ["calls:read"],
        filter: {},
        order: "free",
        maxInFlight: 4,
        enabled: true,
        from: "now",
        revisions: false,
        alerts: false,
      },
    ]);
  });

  it("has filters of the graph", async () => {
    const filter = { direction: "OUTBOUND", answered: true, taskIds: ["7"] };
    const found = await read({ ...plain, filter });
    expect(found.map((each) => "filter" in each && each.filter)).toEqual([
      { direction: "outbound", answered: true, taskIds: ["7"] },
    ]);
  });

  it.each([
    [{ name: "CRM" }, "name must have 1 to 40 lower-case letters, digits and hyphens, and begin with a letter"],
    [
      { kind: "carrier pigeon" },
      "kind must be event, asItCame, folder, bucket, broker, slack, dingtalk, feishu or wecom",
    ],
    [{ url: "http://crm.example/hook" }, "url is refused: it is not https"],
    [{ url: "https://10.0.0.1/" }, "url is refused: its address is not public"],
    [{ kind: "folder", url: "file:///var/calls" }, "unknown member secrets"],
    [{ kind: "folder", secrets: undefined, url: "/var/calls" }, "url must be file:/// and the path of a folder"],
    [{ kind: "folder", secrets: undefined, url: "file://host/calls" }, "url must be file:/// and the path of a folder"],
    [{ kind: "folder", secrets: undefined, url: "file:///" }, "url must be file:/// and the path of a folder"],
    [{ kind: "folder", secrets: undefined, url: "file:///var/calls" }, "none"],
    [{ kind: "folder", secrets: undefined, url: "file:///var/%zz" }, "url must be file:/// and the path of a folder"],
    [{ kind: "folder", secrets: undefined, url: "file:///var/%e4" }, "url must be file:/// and the path of a folder"],
    [{ ...bucket }, "none"],
    [{ ...bucket, url: "https://s3.example/" }, BUCKET_RULE],
    [{ ...bucket, url: "https://id:key@s3.example/calls" }, BUCKET_RULE],
    [{ ...bucket, url: "http://s3.example/calls" }, "url is refused: it is not https"],
    [{ ...bucket, url: "https://10.0.0.1/calls" }, "url is refused: its address is not public"],
    [{ ...bucket, secretAccessKey: "two words" }, "secretAccessKey must be printable ASCII without spaces"],
    [{ ...broker, url: "rediss://redis.example" }, "none"],
    [{ ...broker, url: "rediss://redis.example", stream: undefined }, "stream is missing"],
    [{ ...broker, url: "tls://nats.example", subject: "calls.ended", stream: undefined }, "none"],
    [{ ...broker, url: "tls://nats.example", stream: undefined }, "subject is missing"],
    [{ ...broker, url: "tls://nats.example", subject: "calls.ended" }, "stream is not one of NATS"],
    [{ ...broker, url: "rediss://redis.example", subject: "calls.ended" }, "subject is not one of Redis"],
    [
      { ...broker, url: "tls://nats.example", stream: undefined, subject: "calls.>" },
      "subject must be words with dots between, such as calls.ended",
    ],
    [{ ...broker, url: "rediss://redis.example", maxLength: 0 }, "maxLength must be at least 1"],
    [
      { ...broker, url: "https://redis.example" },
      "url must be redis://, rediss://, nats:// or tls://, a host, and a port, such as rediss://redis.example:6379",
    ],
    [{ ...broker, url: "redis://redis.example" }, "url is refused: it is not encrypted"],
    [{ ...robot("dingtalk", DINGTALK), secret: "SEC0" }, "none"],
    [{ ...robot("feishu", "open.larksuite.com/open-apis/bot/v2/hook/0"), secret: "0" }, "none"],
    [robot("wecom", WECOM), "none"],
    [{ ...robot("wecom", WECOM), secret: "0" }, "unknown member secret"],
    [{ ...robot("dingtalk", DINGTALK), secret: " SEC0" }, "secret must be printable ASCII without spaces"],
    // They answer 200 to what they do not understand, as a Slack that takes it.
    [robot("slack", DINGTALK), "kind must be dingtalk, which alone this address understands"],
    [{ ...robot("slack", DINGTALK), enabled: false }, "none"],
    [robot("feishu", WECOM.replace("qyapi", "QYAPI")), WECOM_ALONE],
    [
      { url: "https://open.feishu.cn/open-apis/bot/v2/hook/0" },
      "kind must be feishu, which alone this address understands",
    ],
    // Flows of AnyCross, at the same host, take any JSON.
    [{ url: "https://open.feishu.cn/anycross/trigger/callback/0" }, "none"],
    [{ secrets: [] }, "secrets must not be empty"],
    [{ secrets: ["whsec_c2hvcnQ="] }, "item 1 of secrets must be whsec_ and 24 to 64 bytes in Base64"],
    [{ scopes: ["people:read"] }, "scopes must have calls:read"],
    [{ filter: { direction: "SIDEWAYS" } }, "filter is not valid at direction"],
    [{ filter: { phone: "13800010001" } }, "filter CallEndedFilter.phone needs the scope people:read"],
    [{ selection: "sessionId prompt" }, 'selection Cannot query field "prompt" on type "CallEnded".'],
    [{ selection: "extra" }, "selection CallEnded.extra needs the scope people:read"],
    [
      { selection: "sessionId } } } mutation X { cancelHistoryImport {" },
      "selection is not a list of fields of CallEnded",
    ],
    [
      { selection: "id } } } query X { node(id: 1) { ... on CallEnded { id" },
      "selection is not a list of fields of CallEnded",
    ],
    [{ selection: "id", document: "abc" }, "document and selection exclude each other"],
    [
      {
        selection:
          "a: callLog { sessionId } b: callLog { sessionId } c: callLog { sessionId } d: callLog { sessionId }",
      },
      "selection may need 12 requests to the service; QUERY_BUDGET is 3",
    ],
    [{ document: "none" }, "document is no ID of TRUSTED_DOCUMENTS"],
    [{ document: "one" }, "none"],
    [{ document: "mutation" }, "document must be a query"],
    [{ document: "variable" }, "document must have one operation, with no other variable to be given than $id: ID!"],
    [{ document: "without" }, "document must have the variable $id: ID!"],
    [{ document: "scope" }, "document asks for CallEnded.extra, which needs the scope people:read"],
    [{ document: "costly" }, "document may need 100 requests to the service; QUERY_BUDGET is 3"],
    [{ maxInFlight: 33 }, "maxInFlight must have at most 32"],
    [{ secret: SECRET }, "unknown member secret"],
  ])("is refused with %j", async (own, fault) => {
    const found = await faultOf(own);
    expect(found).not.toContain(SECRET);
    expect(found).toBe(fault);
  });

  // The second one would find the first one's lines, which have the same ids, and leave its own out.
  it.each([
    ["file:///var/calls", "file:///var/calls/", true],
    ["file:///var/calls", "file:///var/other/../calls", true],
    ["file:///var/c%61lls", "file:///var/calls", true],
    ["file:///var/calls", "file:///var/calls/masked", false],
    ["https://s3.example/calls/a", "https://S3.example:443/calls/a/", true],
    ["https://s3.example/calls/a", "https://s3.example/calls/b", false],
    ["https://s3.example/calls/a%62", "https://s3.example/calls/ab", true],
    ["https://s3.eu-central-1.amazonaws.com/calls/a", "https://calls.s3.dualstack.eu-central-1.amazonaws.com/a/", true],
    ["https://s3.eu-central-1.amazonaws.com/calls", "https://calls.s3.eu-central-1.amazonaws.com", true],
    ["https://s3.eu-central-1.amazonaws.com/calls/a", "https://calls.s3.eu-central-1.amazonaws.com/b", false],
  ])("with files at %s and at %s is refused: %s", async (one, other, isRefused) => {
    const kind = one.startsWith("file:") ? { kind: "folder", secrets: undefined } : bucket;
    const entry = (name: string, url: string) => ({ ...plain, ...kind, name, url });
    const refusal = read(entry("full", one), entry("masked", other)).then(
      () => null,
      ({ message }: Error) => message,
    );
    const text = "entry 2 (masked): url is that of full, too";
    expect(await refusal).toEqual(isRefused ? (expect.stringContaining(text) as string) : null);
    await expect(read(entry("full", one), { ...entry("masked", other), enabled: false })).resolves.toHaveLength(2);
  });

  it("is refused with two destinations of a name", async () => {
    await expect(read(plain, plain)).rejects.toThrow("entry 2 (crm): name is that of another entry, too");
  });
});
