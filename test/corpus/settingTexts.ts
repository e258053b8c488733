// What env files, secrets, editors and pages put around a value, and how programs write files of settings. Each with the address at which
// it was met. `right`: the value; null: it is refused by its name.

export interface SettingText {
  what: string;
  /** What stands in an environment variable, or in a file that a variable with _FILE names. */
  text: string;
  right: string | null;
  source: string;
}

const github = (path: string) => `https://github.com/${path}`;
const TOKEN = "canary-5f2c";

export const settingTexts: readonly SettingText[] = [
  {
    what: "a line break of an editor",
    text: `${TOKEN}\n`,
    right: TOKEN,
    source: github("kubernetes/kubernetes/issues/52919"),
  },
  {
    what: "a line break in base64 of a secret",
    text: `${TOKEN}\n`,
    right: TOKEN,
    source: github("kubernetes/kubernetes/issues/23404"),
  },
  {
    what: "a blank of a secret",
    text: `${TOKEN} `,
    right: TOKEN,
    source: github("kubernetes/kubernetes/issues/28086"),
  },
  {
    what: "a line break of echo",
    text: `${TOKEN}\n`,
    right: TOKEN,
    source: github("podman-container-tools/podman/issues/21257"),
  },
  { what: "a line break of POSIX", text: `${TOKEN}\n`, right: TOKEN, source: github("moghtech/komodo/issues/737") },
  {
    what: "a line break of a mount",
    text: `${TOKEN}\n`,
    right: TOKEN,
    source: github("linuxserver/docker-hedgedoc/issues/31"),
  },
  {
    what: "a line break of a substitution",
    text: `${TOKEN}\n`,
    right: TOKEN,
    source: github("psviderski/uncloud/issues/393"),
  },
  {
    what: "several line breaks",
    text: `${TOKEN}\n\n`,
    right: TOKEN,
    source: github("linuxserver/docker-duckdns/issues/40"),
  },
  {
    what: "a carriage return of an env file",
    text: `${TOKEN}\r`,
    right: TOKEN,
    source: github("redpanda-data/connect/issues/1820"),
  },
  {
    what: "a carriage return and a line break",
    text: `${TOKEN}\r\n`,
    right: TOKEN,
    source: github("wardenenv/warden/issues/380"),
  },
  {
    what: "a carriage return behind a pasted key",
    text: `${TOKEN}\r`,
    right: TOKEN,
    source: github("Xzandro/sw-exporter/issues/232"),
  },
  {
    what: "a blank before a pasted key",
    text: ` ${TOKEN}`,
    right: TOKEN,
    source: github("koush/scrypted/issues/1270"),
  },
  {
    what: "blanks around a pasted key",
    text: ` ${TOKEN} `,
    right: TOKEN,
    source: github("iluvdata/liebherr/issues/20"),
  },
  {
    what: "zero-width characters of a page",
    text: `\u200b${TOKEN}\u200b`,
    right: TOKEN,
    source: github("Anil-matcha/Open-Generative-AI/pull/315"),
  },
  { what: "a no-break space", text: `${TOKEN}\u00a0`, right: TOKEN, source: github("Notifuse/notifuse/issues/223") },
  {
    what: "a byte order mark",
    text: `\ufeff${TOKEN}`,
    right: TOKEN,
    source: github("navali-creations/soothsayer/issues/139"),
  },
  {
    what: "quotes of a compose file",
    text: `"${TOKEN}"`,
    right: null,
    source: github("rudderlabs/rudder-server/pull/2345"),
  },
  {
    what: "quotes, and a carriage return behind them",
    text: `"${TOKEN}"\r`,
    right: null,
    source: github("ddollar/foreman/issues/297"),
  },
  {
    what: "quotes around a leading blank",
    text: `" ${TOKEN}"`,
    right: null,
    source: github("clinton-hall/nzbToMedia/issues/1529"),
  },
  { what: "typographic quotes", text: `“${TOKEN}”`, right: null, source: github("TestSprite/testsprite-cli/pull/141") },
  {
    what: "a line break inside",
    text: `${TOKEN}\n${TOKEN}`,
    right: null,
    source: github("apoorvdarshan/fud-ai/issues/105"),
  },
];

export interface SettingFile {
  what: string;
  /** The bytes of a JSON file with this text. */
  bytes: (json: string) => Buffer;
  source: string;
}

const utf16 = (text: string) => Buffer.from(text, "utf16le");

/** How programs write a JSON file of keys, policies or documents. */
export const settingFiles: readonly SettingFile[] = [
  {
    what: "Notepad and Set-Content: UTF-8 with a mark",
    bytes: (json) => Buffer.from(`\ufeff${json}`),
    source: github("microsoft/playwright/pull/39420"),
  },
  {
    what: "Notepad of a client: UTF-8 with a mark",
    bytes: (json) => Buffer.from(`\ufeff${json}\r\n`),
    source: github("sensu/sensu-docs-legacy/pull/549"),
  },
  {
    what: "PowerShell 5.1: UTF-8 with a mark",
    bytes: (json) => Buffer.from(`\ufeff${json}\r\n`),
    source: github("tradesdontlie/tradingview-mcp/pull/419"),
  },
  {
    what: "an editor that adds a mark",
    bytes: (json) => Buffer.from(`\ufeff${json}`),
    source: github("vmware-archive/scripted/issues/54"),
  },
  {
    what: "a mark of another file behind its own",
    bytes: (json) => Buffer.from(`\ufeff\ufeff${json}`),
    source: github("opengovsg/postmangovsg/pull/88"),
  },
  {
    what: "> of PowerShell: UTF-16",
    bytes: (json) => utf16(`\ufeff${json}\r\n`),
    source: github("jqlang/jq/issues/2351"),
  },
  {
    what: "Out-File of PowerShell: UTF-16",
    bytes: (json) => utf16(`\ufeff${json}\r\n`),
    source: github("jotaen/klog/issues/217"),
  },
];
