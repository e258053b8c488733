// `switchboard doctor`: examines the service at UPSTREAM_URL with GET requests, and prints findings and settings.
import { readDoctorConfig } from "../doctor/doctorConfig.ts";
import { createProbeClient } from "../doctor/probeClient.ts";
import { examine } from "../doctor/examine.ts";
import { contradictedSettings, formatReport, recommendSettings } from "../doctor/report.ts";
import { fixedToken } from "../upstream/serviceToken.ts";
import { createSingleGet } from "../upstream/openTransport.ts";
import { fixedProxy } from "../upstream/proxyAgent.ts";
import { exitCodes } from "../util/start/exitCodes.ts";
import { exitWhenReaderCloses, print, printLine } from "./output.ts";

const MAX_REQUESTS = 60;
/** At most ten requests a second. */
const PAUSE_MS = 100;

type Environment = Readonly<Record<string, string | undefined>>;

/** Resolves with 0 after an examination, and with 78 if it contradicts a setting. Throws ConfigError, UPSTREAM_*, or an Error if the service refuses to list calls. */
export async function doctorCommand({ json }: { json: boolean }, env: Environment): Promise<number> {
  exitWhenReaderCloses();
  const { url, token, timeoutMs, proxy, timeZone, assistantIds } = readDoctorConfig(env);
  await using service = createSingleGet({ url, token: fixedToken(token), proxy: fixedProxy(proxy), timeoutMs });
  const client = createProbeClient(service, { requests: MAX_REQUESTS, pauseMs: PAUSE_MS });
  const examination = await examine(client, Date.now);
  if ("refusedStatus" in examination) throw new Error(refusalText(examination.refusedStatus));
  const { findings } = examination;
  const settings = recommendSettings(findings, { timeZone, assistantIds });
  if (json) await printLine({ requests: client.requestCount(), findings, settings });
  else print(formatReport(findings, settings, client.requestCount()));
  const isContradicted = contradictedSettings(findings, { timeZone, assistantIds }).length > 0;
  return isContradicted ? exitCodes.configuration : exitCodes.success;
}

function refusalText(status: number): string {
  if (status === 401 || status === 403)
    return `The service refused UPSTREAM_TOKEN with HTTP ${status}. Check the token.`;
  if (status === 0) return "The answer from UPSTREAM_URL is not a list of calls. Is it the service's base address?";
  return `The service answered the list of calls with HTTP ${status}. Is UPSTREAM_URL its base address?`;
}
