// What `switchboard init` prints at its end: the files, the key, what to paste into the service, and the next commands.
import { readJsonFile } from "../../util/textFile.ts";
import { KEYS_FILE, type Setup } from "./setup.ts";

export interface InitSummary {
  setup: Setup;
  written: readonly string[];
  /** Settings of the .env before that are gone, or have another value. */
  changed: readonly string[];
  /** Where the .env before is now. */
  oldFile: string;
  /** The commands of the deployment. */
  steps: readonly string[];
  /** Null: the keys that were there stay. */
  key: { key: string; name: string; scopes: readonly string[] } | null;
}

const NPX = "npx --no-install switchboard";

export async function summaryOf({ setup, written, changed, oldFile, steps, key }: InitSummary): Promise<string> {
  const shown = written.filter((path) => !path.endsWith(".gitignore"));
  const header = setup.secrets.find(({ variable }) => variable === "WEBHOOK_AUTHORIZATION");
  const start = (await isCheckout()) ? "npm start" : `${NPX} start`;
  const commands = [`${NPX} check`, ...(steps.length > 0 ? steps : [start]), ...stepsToTheWebhook(setup)];
  return [
    `Written: ${shown.join(", ")}`,
    ...(changed.length > 0 ? [`Gone, or other than in ${oldFile}: ${changed.join(", ")}`] : []),
    "",
    ...(key
      ? [`The key of ${key.name} (${key.scopes.join(", ")}), shown only now:`, "", `  ${key.key}`]
      : [`${KEYS_FILE} stays as it is: ${NPX} key makes another key.`]),
    "",
    "On the webhook page of the service:",
    "",
    `  Address         ${setup.webhookAddress}`,
    `  Authorization   the text in ${header?.file ?? ""}`,
    "",
    "Next:",
    "",
    ...commands.map((command) => `  ${command}`),
    "",
  ].join("\n");
}

/** The proxy, a test of the way through it, and the first webhook of a call. */
function stepsToTheWebhook({ webhookAddress, behindProxy, isOpenToOthers }: Setup): string[] {
  const doctor = `SWITCHBOARD_KEY='<the key>' ${NPX} doctor --webhook`;
  const origin = webhookAddress.replace(/(?<=[^:/])\/.*/, "");
  return [
    ...(behindProxy === null
      ? []
      : [
          `# A proxy with TLS that forwards ${origin} to ${behindProxy}: ops/proxies has its file, docs/proxies.md the rest.`,
        ]),
    ...(behindProxy !== null || isOpenToOthers ? [`${doctor} --address '${webhookAddress}'`] : []),
    `${doctor}    # when a call has ended`,
  ];
}

/** Whether `npm start` runs the gateway here. */
async function isCheckout(): Promise<boolean> {
  const manifest = await readJsonFile("package.json", "it must be one").catch(() => null);
  return (manifest as { name?: string } | null)?.name === "switchboard";
}
