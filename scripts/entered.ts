// `npm run entered`: counts the files, folders and functions of src/ that a warm request enters, by V8's coverage. `--list REQUEST`
// prints them. The gateway and its service run in this process; the service's own files do not count.
import { Session } from "node:inspector/promises";
import { dirname, relative, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { callEndedEvent } from "../test/support/events.ts";
import { connectSandbox, emptySandbox } from "../test/support/emptySandbox.ts";
import { startGateway, temporaryDirectory } from "../test/support/gateway.ts";
import { bearer, writeKeys } from "../test/support/keys.ts";

const SOURCES = resolve(import.meta.dirname, "../src");
/** The first requests fill caches and compile documents. */
const WARM = 20;
const SAMPLES = 10;

const { values } = parseArgs({ options: { list: { type: "string" } } });

await using sandbox = await emptySandbox();
await using directory = await temporaryDirectory();
const API_KEYS_FILE = await writeKeys(directory.path, { web: ["calls:read", "people:read"] });
await using gateway = await startGateway(sandbox, { API_KEYS_FILE });
connectSandbox(sandbox, gateway);
const { taskIds } = sandbox.control.seed({ tasks: [{ id: 7, name: "Survey" }] });
for (let call = 0; call < 20; call += 1) sandbox.control.endCall({ taskId: Number(taskIds[0]) });

const LIST =
  "{ callLogs(first: 10) { totalCount nodes { sessionId direction caller callee startAt endAt duration answered } } }";
const ask = (query: string) => gateway.ask(query, {}, { authorization: bearer("web") });
const requests: Record<string, () => Promise<unknown>> = {
  "{ __typename }": () => ask("{ __typename }"),
  "callLogs(first: 10)": () => ask(LIST),
  callStats: () => ask("{ callStats { calls answered } }"),
  "a webhook": () => gateway.deliver(callEndedEvent()),
};

const say = (text: string) => process.stdout.write(`${text}\n`);
const session = new Session();
session.connect();
await session.post("Profiler.enable");
for (const [name, request] of Object.entries(requests)) {
  for (let at = 0; at < WARM; at += 1) await request();
  // Work in the background enters files, too, but not each time.
  let functions = await functionsEnteredBy(request);
  for (let at = 1; at < SAMPLES; at += 1) functions = functions.intersection(await functionsEnteredBy(request));
  const files = new Set([...functions].map((each) => each.split("#", 1)[0] ?? ""));
  const folders = new Set([...files].map(dirname));
  say(`${name}: ${files.size} files in ${folders.size} folders, ${functions.size} functions`);
  if (values.list === name) for (const file of [...files].toSorted()) say(`  ${file}`);
}
session.disconnect();

/** As `file#place`. */
async function functionsEnteredBy(request: () => Promise<unknown>): Promise<Set<string>> {
  await session.post("Profiler.startPreciseCoverage", { callCount: true, detailed: false });
  await request();
  const { result } = await session.post("Profiler.takePreciseCoverage");
  await session.post("Profiler.stopPreciseCoverage");
  return new Set(
    result.flatMap(({ url, functions }) => {
      const file = url.startsWith("file:") ? relative(SOURCES, fileURLToPath(url)) : "..";
      if (file.startsWith("..")) return [];
      // The first function of a file is the file itself.
      const entered = functions
        .slice(1)
        .flatMap(({ ranges }) => ranges.slice(0, 1))
        .filter(({ count }) => count > 0);
      return entered.map(({ startOffset }) => `${file}#${startOffset}`);
    }),
  );
}
