import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { createCatchUp } from "../../client/src/streams/catchUp.ts";
import { createHttpTransport } from "../../client/src/http/httpTransport.ts";
import { SwitchboardError, type ConnectionState } from "../../client/src/index.ts";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const at = (minute: number) => ({ receivedAt: `2026-11-20T09:0${minute}:00.000Z` });
const missing = (minute: number) => ({
  missed: { nodes: [at(minute)] },
  newest: { headCursor: "c9", nodes: [at(5)] },
});
const complete = { missed: { nodes: [] }, newest: { headCursor: "c9", nodes: [at(5)] } };

/** `answers`: one for each time the log is asked. */
function startCatchUp(...answers: unknown[]) {
  const states: ConnectionState[] = [];
  const ask = vi.fn<() => Promise<unknown>>(async () => {
    const answer = answers.shift();
    if (answer instanceof Error) throw answer;
    return answer;
  });
  const catchUp = createCatchUp({ ask, variables: () => ({}), onState: (state) => states.push(state) });
  catchUp.start();
  return { catchUp, states, ask };
}

it("tells how far a stream is behind every two seconds, until nothing is missing", async () => {
  const { states } = startCatchUp(missing(1), missing(4), complete);
  await vi.advanceTimersByTimeAsync(3999);
  expect(states).toEqual([null, 240_000, 60_000].map((behindMs) => ({ name: "catchingUp", behindMs })));
  await vi.advanceTimersByTimeAsync(1);
  expect(states.at(-1)).toEqual({ name: "live" });
});

it("is live as soon as the stream reaches the newest event, also if that came before the answer", async () => {
  const later = startCatchUp(missing(1));
  await vi.advanceTimersByTimeAsync(0);
  later.catchUp.reached("c8", false);
  expect(later.states.at(-1)).toEqual({ name: "catchingUp", behindMs: 240_000 });
  later.catchUp.reached("c9", false);
  expect(later.states.at(-1)).toEqual({ name: "live" });
  const before = startCatchUp(missing(1));
  before.catchUp.reached("c9", false);
  await vi.advanceTimersByTimeAsync(0);
  expect(before.states.at(-1)).toEqual({ name: "live" });
});

it("asks again after a failure that may pass, and behind a gap", async () => {
  const network = new SwitchboardError("NETWORK", "", { retryable: true });
  const { states, ask } = startCatchUp(network, new SwitchboardError("CURSOR_EXPIRED", ""), complete);
  await vi.advanceTimersByTimeAsync(4000);
  expect(ask).toHaveBeenCalledTimes(3);
  expect(states.at(-1)).toEqual({ name: "live" });
});

it("asks again where a question gets no answer, as on a connection that died with the stream", async () => {
  const states: ConnectionState[] = [];
  const fetch = vi.fn<typeof globalThis.fetch>();
  fetch.mockReturnValueOnce(new Promise(() => undefined)).mockResolvedValue(Response.json({ data: complete }));
  const { request: ask } = createHttpTransport("http://127.0.0.1/graphql", async () => undefined, fetch);
  createCatchUp({ ask, variables: () => ({}), onState: (state) => states.push(state) }).start();
  await vi.advanceTimersByTimeAsync(12_000);
  expect(states.at(-1)).toEqual({ name: "live" });
});

it("waits for a checkpoint where the log may not be asked", async () => {
  const { catchUp, states, ask } = startCatchUp(new SwitchboardError("DOCUMENT_NOT_TRUSTED", ""));
  await vi.advanceTimersByTimeAsync(10_000);
  expect(ask).toHaveBeenCalledTimes(1);
  catchUp.reached("c1", false);
  expect(states).toEqual([{ name: "catchingUp", behindMs: null }]);
  catchUp.reached("c1", true);
  expect(states.at(-1)).toEqual({ name: "live" });
});

it("says nothing after it was stopped", async () => {
  const { catchUp, states, ask } = startCatchUp(missing(1), complete);
  catchUp.stop();
  await vi.advanceTimersByTimeAsync(10_000);
  catchUp.reached("c9", true);
  expect(states).toEqual([{ name: "catchingUp", behindMs: null }]);
  expect(ask).toHaveBeenCalledTimes(1);
});
