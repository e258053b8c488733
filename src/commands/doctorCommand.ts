// `switchboard doctor`: examines the service at UPSTREAM_URL by reading, and prints what it found and what to set.
import { readDoctorConfig } from "../doctor/readConfig.ts";
import { createAsker } from "../doctor/gentleClient.ts";
import { examine } from "../doctor/examine.ts";
import { report } from "../doctor/report.ts";
import { settingsOf } from "../doctor/settings.ts";
import { createSingleGet } from "../upstream/singleGet.ts";
import { endWithReader, printLine } from "./printLine.ts";

const MOST_REQUESTS = 60;
/** At most ten requests in a second, one at a time. */
const PAUSE_MS = 100;

type Environment = Readonly<Record<string, string | undefined>>;

/** 0 with an examination, whatever it found; 1 where there was none. Throws ConfigError, and UPSTREAM_* as they are. */
export async function doctorCommand({ json }: { json: boolean }, env: Environment): Promise<number> {
  endWithReader();
  const { url, token, timeoutMs, timeZone, assistantIds } = readDoctorConfig(env);
  await using service = createSingleGet({ url, token, timeoutMs });
  const ask = createAsker(service, { requests: MOST_REQUESTS, pauseMs: PAUSE_MS });
  const examination = await examine(ask, Date.now);
  if ("refused" in examination) throw new Error(refusalOf(examination.refused));
  const { findings } = examination;
  const settings = settingsOf(findings, { timeZone, assistantIds });
  if (json) await printLine({ requests: ask.asked(), findings, settings });
  else process.stdout.write(report(findings, settings, ask.asked()));
  return 0;
}

function refusalOf(status: number): string {
  if (status === 401 || status === 403) return `The service does not accept UPSTREAM_TOKEN: it answered ${status}.`;
  if (status === 0) return "What answers at UPSTREAM_URL is no list of calls.";
  return `The service answered the list of calls with ${status}. Is UPSTREAM_URL its base address?`;
}
