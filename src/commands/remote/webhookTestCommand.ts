// `switchboard doctor --webhook --address URL`: sends a test from here to the address at which the service sends webhooks, and says whether
// the gateway got it. It shows what proxies in front do, without a call.
import { sendWebhookTest, type WebhookTestOutcome, type WebhookTestResult } from "../../webhook/sendWebhookTest.ts";
import { exitCodes } from "../../util/start/exitCodes.ts";
import { UsageError } from "../options.ts";
import { exitWhenReaderCloses, print, printLine } from "../output.ts";
import { createGatewayClient } from "./gatewayClient.ts";

interface Options {
  url?: string | undefined;
  /** Where the service sends webhooks, with or without the path. */
  address: string;
  json: boolean;
}

const TEST = "mutation { createWebhookTest { authorization path bytes } }";

/** What an operator does about it. */
const ADVICE: Readonly<Record<Exclude<WebhookTestOutcome, "ARRIVED">, string>> = {
  CHANGED: "arrived with another body: something on the way rewrites it. Let the proxy pass bodies on as they are",
  HEADER_REFUSED:
    "was refused: let the proxy keep the Authorization header and ask for none of its own; and look whether each gateway behind it has the same WEBHOOK_AUTHORIZATION",
  WRONG_PATH:
    "came to a path that takes no webhooks: the address must end with WEBHOOK_PATH, and the proxy must not change the path",
  TOO_LARGE: "is larger than the proxy takes: allow bodies of 256 KiB there, such as by client_max_body_size of nginx",
  HOST_REFUSED:
    "was refused for its head: a gateway without keys takes names of its own machine only (API_KEYS_FILE), and the proxy must pass the Host header on",
  BUSY: "was not taken now: the gateway or a proxy starts, or has too much to do. Try again",
  REDIRECTED: "was redirected: give the service the address that is redirected to, for it may not follow",
  OTHER_ANSWER: "was answered by something else than the gateway: look at what the address leads to",
  UNREACHABLE: "found no gateway: look at the name, the port, the certificate and the firewall",
};

/** Resolves with 0 where the gateway got the test as it was sent, otherwise with 1. */
export async function webhookTestCommand({ url, address, json }: Options, env: NodeJS.ProcessEnv): Promise<number> {
  const target = readAddress(address);
  exitWhenReaderCloses();
  const { createWebhookTest: test } = await createGatewayClient(url, env).query<{
    createWebhookTest: { authorization: string; path: string; bytes: number };
  }>(TEST);
  if (target.pathname === "/") target.pathname = test.path;
  const result = await sendWebhookTest(target.href, test);
  if (json) await printLine({ address: target.href, ...result });
  else print(`${describe(target.href, result)}\n`);
  return result.outcome === "ARRIVED" ? exitCodes.success : exitCodes.failure;
}

function describe(address: string, { outcome, status, problem, ms }: WebhookTestResult): string {
  if (outcome === "ARRIVED") return `arrived  A test webhook came through ${address} as it was sent, in ${ms} ms.`;
  const answer = status === null ? problem : `status ${status}`;
  return `lost     A test webhook to ${address} ${ADVICE[outcome]}${answer === null ? "" : ` (${answer})`}.`;
}

function readAddress(text: string): URL {
  const url = URL.parse(text);
  if (url === null || !/^https?:$/.test(url.protocol) || url.username !== "" || url.password !== "")
    throw new UsageError(
      "--address must be an address such as https://calls.example.com/calllog, without credentials.",
    );
  return url;
}
