// A list of the newest ended calls that stays live, for any framework, with switchboard-client.
import type { SwitchboardClient } from "switchboard-client";

export interface LiveCall {
  sessionId: string;
  callee: string | null;
  endAt: string | null;
}

const FIELDS = "sessionId callee endAt";
const NEWEST = `{ callEndedEvents(first: 20, order: NEWEST_FIRST, imported: false) { headCursor nodes { ${FIELDS} } } }`;

/** Tells the newest calls, at most 20, at once and at each change. */
export function liveCalls(
  client: SwitchboardClient,
  onChange: (calls: readonly LiveCall[]) => void,
  onError: (error: unknown) => void,
) {
  const ending = new AbortController();
  const { signal } = ending;
  onChange([]);
  const follow = async () => {
    const { callEndedEvents } = await client.query<{ callEndedEvents: { headCursor: string; nodes: LiveCall[] } }>(
      NEWEST,
      {},
      { signal },
    );
    let calls: readonly LiveCall[] = callEndedEvents.nodes;
    onChange(calls);
    for await (const item of client.callEnded<LiveCall>({
      after: callEndedEvents.headCursor,
      fields: FIELDS,
      signal,
    })) {
      if (item.type === "gap") continue; // calls are missing here: the gateway no longer has them
      calls = [item.call, ...calls].slice(0, 20);
      onChange(calls);
    }
  };
  follow().catch((error) => signal.aborted || onError(error));
  return () => ending.abort();
}
