// Follows every ended call into a database of its own. It may be killed at any moment: each call is in the table once.
import { readFile } from "node:fs/promises";
import { createSwitchboardClient, SwitchboardError } from "switchboard-client";
import { adviceFor } from "./adviceFor.js";
import { openCallTable } from "./callTable.js";

const { GATEWAY_URL = "http://127.0.0.1:4000/graphql", KEY_FILE, DATABASE = "calls.db" } = process.env;

const stop = new AbortController();
for (const name of ["SIGTERM", "SIGINT"]) process.once(name, () => stop.abort());

const calls = openCallTable(DATABASE);
// The client asks for the key again when the gateway refused it: a new key needs no restart.
const authorization = KEY_FILE ? async () => `Bearer ${(await readFile(KEY_FILE, "utf8")).trim()}` : undefined;
const client = createSwitchboardClient({ url: GATEWAY_URL, authorization });
try {
  await follow(stop.signal);
} catch (error) {
  if (!stop.signal.aborted) report(error);
} finally {
  await client.close();
  calls.close();
}

/** @param {AbortSignal} signal */
async function follow(signal) {
  const after = calls.cursor() ?? (await begin(signal));
  for await (const item of client.callEnded({ after, signal, onState: tell })) {
    calls.add(item);
    if (item.type === "gap") console.error("Calls are missing here: the gateway no longer has them.");
  }
}

/**
 * The first run begins with the oldest call that the gateway still has, or behind the end of an empty log.
 * @param {AbortSignal} signal
 */
async function begin(signal) {
  /** @typedef {import("switchboard-client").CallEnded} CallEnded */
  const query = `{ callEndedEvents(first: 1) { headCursor nodes { cursor sessionId caller callee endAt answered } } }`;
  const data = await client.query(query, {}, { signal });
  const { headCursor, nodes } = /** @type {{ callEndedEvents: { headCursor: string, nodes: CallEnded[] } }} */ (data)
    .callEndedEvents;
  const [call] = nodes;
  if (!call) return calls.begin(headCursor);
  return calls.add({ type: "call", cursor: call.cursor, call });
}

/** @param {import("switchboard-client").ConnectionState} state */
function tell(state) {
  const reason = state.name === "waiting" ? `: ${state.reason}` : "";
  console.log(`${state.name}${reason}`);
}

/** @param {unknown} error */
function report(error) {
  console.error(error instanceof SwitchboardError ? `${error.code}: ${adviceFor(error)}` : error);
  process.exitCode = 1;
}
