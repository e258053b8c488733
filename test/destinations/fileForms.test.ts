// DESTINATIONS_FILE as programs and people write it: encodings, other formats, addresses and secrets of odd forms.
import { chmodSync, writeFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { hostList, type HostRule } from "../../src/config/hostList.ts";
import { readDestinations } from "../../src/destinations/destinationFile.ts";
import { createDestinationRules, destinationHosts } from "../../src/gateway/destinationRules.ts";
import { schema } from "../../src/schema/schema.ts";
import { settingFiles } from "../corpus/settingTexts.ts";
import { tempFile } from "../store/tempStore.ts";
import { SECRET } from "./receiver.ts";

const plain = { name: "crm", kind: "event", url: "https://crm.example/hook", secrets: [SECRET] };

function readBytes(bytes: Buffer | string, hosts: HostRule[] | null = null, mode = 0o600) {
  const file = tempFile("destinations.json");
  writeFileSync(file, bytes);
  chmodSync(file, mode);
  const own = { hosts: destinationHosts({ file, hosts }), keepsBodies: true, findTrusted: null };
  return readDestinations(file, createDestinationRules({ schema, ...own, queryBudget: 3, logBudget: 50 }));
}
const faultOf = (own: object, hosts: string | null = null) =>
  readBytes(JSON.stringify([{ ...plain, ...own }]), hosts === null ? null : hostList.parse(hosts)).then(
    () => "none",
    ({ message }: Error) => message.replace(/^cannot be used: entry 1( \([^)]*\))?: /i, ""),
  );
const base64 = (bytes: number) => Buffer.alloc(bytes, 0xff).toString("base64");
const SECRET_RULE = "item 1 of secrets must be whsec_ and 24 to 64 bytes in Base64";

describe("DESTINATIONS_FILE", () => {
  it.each(settingFiles.map(({ what, bytes }) => [what, bytes] as const))(
    "is read as written by %s",
    async (_, bytes) => {
      expect(await readBytes(bytes(JSON.stringify([plain], null, 2)))).toMatchObject([{ name: "crm" }]);
    },
  );

  it("may be readable alone, and have line ends of Windows", async () => {
    const text = JSON.stringify([plain], null, 2).replaceAll("\n", "\r\n");
    expect(await readBytes(text, null, 0o400)).toMatchObject([{ name: "crm" }]);
  });

  it.each([
    ["CSV", `name,kind,url\ncrm,event,https://crm.example/hook\n`],
    ["YAML", `- name: crm\n  kind: event\n  url: https://crm.example/hook\n  secrets: [${SECRET}]\n`],
    ["a line of JSON for each", `${JSON.stringify(plain)}\n${JSON.stringify({ ...plain, name: "erp" })}\n`],
    ["one entry without brackets", JSON.stringify(plain)],
    ["a comma behind the last entry", `[${JSON.stringify(plain)},]`],
    ["a comment", `// ours\n[${JSON.stringify(plain)}]`],
    ["nothing", ""],
  ])("with %s is refused with words that say what it must be, and no secret", async (_, text) => {
    const refusal = await readBytes(text).then(
      () => "none",
      ({ message }: Error) => message,
    );
    expect(refusal).toContain("its entries must be in [ ], separated by commas");
    expect(refusal).not.toContain(SECRET);
  });

  it.each([
    [{ url: "https://user:secret@crm.example/hook" }, "url is refused: it has a user name or password"],
    [{ url: "https://crm.example:0/hook" }, "url is refused: its port is neither 80 nor 443"],
    [{ url: "https://crm.example:8443/hook" }, "url is refused: its port is neither 80 nor 443"],
    [{ url: "https://crm.example:99999/hook" }, "url is refused: it is not a web address"],
    [{ url: "https://crm.example./hook" }, "url is refused: its host name ends with a dot"],
    [{ url: "https://crm.example\\@10.0.0.1/" }, "url is refused: it is not a web address"],
    [{ url: " https://crm.example/hook" }, "url is refused: it is not a web address"],
    [{ url: "https://crm.example/ho\nok" }, "url is refused: it is not a web address"],
    [{ url: "crm.example/hook" }, "url is refused: it is not a web address"],
    [{ url: "https://127。0。0。1/" }, "url is refused: its address is not public"],
    [{ url: "https://①⓪.0.0.1/" }, "url is refused: its address is not public"],
    [{ url: "https://客户.example/hook" }, "none"],
    [
      { name: "crm ", url: "https://crm.example" },
      "name must have 1 to 40 lower-case letters, digits and hyphens, and begin with a letter",
    ],
    [{ name: "客户" }, "name must have 1 to 40 lower-case letters, digits and hyphens, and begin with a letter"],
  ])("with %j: %s", async (own, fault) => {
    expect(await faultOf(own)).toBe(fault);
  });

  it.each([
    ["crm.example:8443", "https://crm.example:8443/hook", "none"],
    ["crm.example:8443", "http://CRM.example:8443/hook", "none"],
    ["客户.example", "https://客户.example/hook", "none"],
    ["客户.example", "https://xn--ubt06m.example/hook", "none"],
    ["crm.example", "https://crm.example./hook", "url is refused: its host is not one of DESTINATION_HOSTS"],
    ["crm.example.", "https://crm.example./hook", "none"],
    ["crm.example", "https://crm.example:8443/hook", "url is refused: its host is not one of DESTINATION_HOSTS"],
  ])("with DESTINATION_HOSTS %s and %s: %s", async (hosts, url, fault) => {
    expect(await faultOf({ url }, hosts)).toBe(fault);
  });

  it.each([
    [`whsec_${base64(24)}`, "none"],
    [`whsec_${base64(64)}`, "none"],
    [`whsec_${base64(23)}`, SECRET_RULE],
    [`whsec_${base64(65)}`, SECRET_RULE],
    // Lenient readers take such a text for other bytes, or for none: https://github.com/openai/openai-node/pull/1887
    [`whsec_${base64(24).replaceAll("/", "_").replaceAll("+", "-")}`, SECRET_RULE],
    [`whsec_${base64(32).replaceAll("=", "")}`, SECRET_RULE],
    [base64(32), SECRET_RULE],
    // https://github.com/standard-webhooks/standard-webhooks/issues/235
    [`v1,whsec_${base64(32)}`, SECRET_RULE],
    [`WHSEC_${base64(32)}`, SECRET_RULE],
    [`whsec_${base64(32)}\n`, SECRET_RULE],
    [` whsec_${base64(32)}`, SECRET_RULE],
    ["whsec_密码密码密码密码密码密码密码密码密码密码密码密码", SECRET_RULE],
  ])("with the secret %j: %s", async (secret, fault) => {
    expect(await faultOf({ secrets: [secret] })).toBe(fault);
  });

  it.each(["Bearer 密码", "Bearer a\r\nx-admin: 1", "Bearer a\u0000", ""])(
    "with authorization %j is refused, and does not show it",
    async (authorization) => {
      const own = { kind: "asItCame", secrets: undefined, authorization };
      expect(await faultOf(own)).toBe("authorization must be printable ASCII");
    },
  );
});
