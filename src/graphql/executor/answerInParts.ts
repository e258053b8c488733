// Answers a query with `@defer` or `@stream` in parts, as the incremental delivery specification has it: the first part names
// what is pending, later parts bring it. All parts share one context: what one part has loaded, the next does not load again. The
// limits of an answer hold for all parts together. Each part is executed in a slice of the event loop of its own.
import type { ExecutionResult, GraphQLError } from "graphql";
import { withoutHttpHint } from "../../errors.ts";
import type { UpstreamUsage } from "../../upstream/requester.ts";
import { DONE } from "../../util/iterators.ts";
import type { MaybePromise } from "../../util/maybePromise.ts";
import type { TimeSlices } from "../../util/timeSlices.ts";
import type { PublishError } from "../publishError.ts";
import { createDeferredWork, type DeferredWork } from "./deferredWork.ts";
import { executeOnce, failedResult, toPublicResult, withUsage, type OperationRun } from "./executionResult.ts";
import { isDivisible } from "./incrementalDirectives.ts";
import { createPartsLimits, PARTS_LIMITS, tooLate, type PartsLimits } from "./partsLimits.ts";
import type { Part } from "./partWriter.ts";

/** A part brings what is executed in about this time. */
const PART_MS = 2;

/** Unlike the results of a subscription, they belong together. */
export interface Parts extends AsyncIterableIterator<ExecutionResult> {
  isOneAnswer: true;
}

export interface RequestRun extends OperationRun {
  waitForSlice: () => ReturnType<TimeSlices["waitForSlice"]>;
}

/** Executes a query or a mutation. `acceptsParts`: whether the client takes an answer in parts. It does not throw or reject. */
export function executeRequest(run: RequestRun, acceptsParts: boolean): MaybePromise<ExecutionResult | Parts> {
  return acceptsParts && isDivisible(run.operation) ? executeInParts(run) : executeOnce(run);
}

async function executeInParts(run: RequestRun): Promise<ExecutionResult | Parts> {
  const { operation, execute, openScope, clientSignal, publish } = run;
  const limits = createPartsLimits();
  const later = createDeferredWork(limits);
  const life = createLife(clientSignal(), later.wakeUp);
  const { signal } = life;
  try {
    const { context, usage } = await openScope(() => signal);
    const { rootValue } = operation;
    const executed = execute({ operation, rootValue, context, clientSignal: () => signal, later });
    const result = await unlessAborted(executed, signal);
    const excess = limits.excess();
    if (excess) throw excess;
    const part = later.takePart();
    // A first part without data has nothing that could come later.
    if (part && result.data) return sendParts({ ...result, ...part }, run, { later, limits, life, usage });
    life.end();
    return toPublicResult(result, run, usage);
  } catch (error) {
    life.end();
    return failedResult(signal.aborted ? signal.reason : error, clientSignal, publish);
  }
}

interface Life {
  /** Aborted when the client leaves, at the deadline, and by `abort`; never after `end`. */
  signal: AbortSignal;
  abort: () => void;
  /** To be called when nothing is waited for any more. */
  end: () => void;
}

/** AbortSignal.any() would take a tenth of the time of a short answer. */
function createLife(client: AbortSignal, onAbort: () => void): Life {
  const controller = new AbortController();
  const { signal } = controller;
  let isOver = false;
  const abort = (reason?: unknown) => {
    if (isOver) return;
    end();
    controller.abort(reason);
    onAbort();
  };
  const leave = () => abort(client.reason);
  const deadline = setTimeout(() => abort(tooLate()), PARTS_LIMITS.milliseconds).unref();
  function end(): void {
    isOver = true;
    clearTimeout(deadline);
    client.removeEventListener("abort", leave);
  }
  if (client.aborted) leave();
  else client.addEventListener("abort", leave);
  return { signal, abort: () => abort(), end };
}

/** What a resolver waits for may ignore the signal. */
function unlessAborted<T>(value: MaybePromise<T>, signal: AbortSignal): MaybePromise<T> {
  if (!(value instanceof Promise)) return value;
  const { promise, resolve, reject } = Promise.withResolvers<T>();
  signal.addEventListener("abort", () => reject(signal.reason), { once: true });
  value.then(resolve, reject);
  return promise;
}

interface Sending {
  later: DeferredWork;
  limits: PartsLimits;
  life: Life;
  usage: UpstreamUsage | null;
}

function sendParts(
  firstPart: Part,
  { waitForSlice, publish }: RequestRun,
  { later, limits, life, usage }: Sending,
): Parts | ExecutionResult {
  const ended = Promise.withResolvers<IteratorReturnResult<undefined>>();
  const pending = new Set<string>();
  let first: ExecutionResult | null = null;
  let isOver = false;

  function stop(): void {
    isOver = true;
    life.abort();
  }
  /** Returns the part for the client. Throws if it would exceed a limit. */
  function admit(part: Part): ExecutionResult {
    publishErrors(part, publish);
    limits.addPart(part);
    const excess = limits.excess();
    if (excess) throw excess;
    for (const { id } of part.pending ?? []) pending.add(id);
    for (const { id } of part.completed ?? []) pending.delete(id);
    if (!part.hasNext) life.end();
    return usage ? withUsage(part, usage) : part;
  }
  /** The last part in place of one that cannot be sent: nothing that is still pending will come. */
  function cut(error: unknown): ExecutionResult {
    stop();
    const errors = [withoutHttpHint(publish(error))];
    const last: Part = { completed: [...pending].map((id) => ({ id, errors })), hasNext: false };
    return last;
  }
  async function nextPart(): Promise<IteratorResult<ExecutionResult, undefined>> {
    try {
      for (;;) {
        const slice = waitForSlice();
        if (slice) await slice;
        if (isOver) return DONE;
        life.signal.throwIfAborted();
        later.execute(PART_MS);
        const excess = limits.excess();
        if (excess) throw excess;
        const part = later.takePart();
        if (part) return { done: false, value: admit(part) };
        await later.whenReady();
      }
    } catch (error) {
      return isOver ? DONE : { done: false, value: cut(error) };
    }
  }

  try {
    first = admit(firstPart);
  } catch (error) {
    stop();
    return { errors: [publish(error)], data: null };
  }
  const parts: Parts = {
    isOneAnswer: true,
    [Symbol.asyncIterator]: () => parts,
    async next() {
      if (isOver || (!first && pending.size === 0)) return DONE;
      if (!first) return Promise.race([nextPart(), ended.promise]);
      const value = first;
      first = null;
      return { done: false, value };
    },
    async return() {
      stop();
      ended.resolve(DONE);
      return DONE;
    },
  };
  return parts;
}

/** Replaces the errors of a part by their public form. */
function publishErrors(part: Part, publish: PublishError): void {
  for (const holders of [[part], part.incremental ?? [], part.completed ?? []]) {
    for (const holder of holders) if (holder.errors) Object.assign(holder, { errors: holder.errors.map(publicError) });
  }
  function publicError(error: GraphQLError): GraphQLError {
    return withoutHttpHint(publish(error));
  }
}
