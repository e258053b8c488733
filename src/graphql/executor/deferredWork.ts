// Executes what the runs of an answer in parts leave for later parts, and writes what is complete. The client knows a deferred fragment
// or a streamed list as `pending` from the part in which it can begin, until it is complete.
import type { GraphQLError } from "graphql";
import { createWorkFinder, type Fragment, type Piece, type Stream } from "./foundWork.ts";
import { createPartWriter } from "./partWriter.ts";
import type { PartsLimits } from "./partsLimits.ts";
import { createRun, ITEM_SIZE, type ResponseNode, type Run, type RunContext } from "./runCompiled.ts";

export type DeferredWork = ReturnType<typeof createDeferredWork>;

/** For one answer. */
export function createDeferredWork(limits: PartsLimits) {
  const finder = createWorkFinder(limits);
  const writer = createPartWriter(limits.setPending);
  const ready = new Set<Piece | Stream>();
  /** Called in the slice that goes on, for runs that have settled since. */
  let settled: (() => void)[] = [];
  /** Taken from the run of the first part. */
  let shared: RunContext | null = null;
  let wake = (): void => undefined;

  /** Adds what an ended run has found. Returns the lists that it has begun. */
  function addFound(run: Run): readonly Stream[] {
    limits.addRun(run);
    const found = finder.takeFound(run);
    if (!found) return [];
    for (const piece of found.pieces) {
      for (const fragment of piece.fragments) {
        fragment.pieces.push(piece);
        fragment.left += 1;
        if (fragment.id) ready.add(piece);
      }
    }
    for (const fragment of found.fragments) if (fragment.parent) (fragment.parent.children ??= []).push(fragment);
    for (const fragment of found.fragments) if (!fragment.parent) announce(fragment);
    return found.streams;
  }

  /** A fragment whose fields were all sent with others is never pending; the fragments in it take its place. */
  function announce(fragment: Fragment): void {
    if (fragment.pieces.every(({ state }) => state === "sent")) return fragment.children?.forEach(announce);
    fragment.id = writer.open(fragment.node, fragment.defer.label);
    const failed = fragment.pieces.find(({ state }) => state === "failed");
    if (failed?.run) return fail(fragment, failed.run);
    for (const piece of fragment.pieces) if (!piece.run) ready.add(piece);
    if (fragment.left === 0) complete(fragment);
  }
  function announceStream(stream: Stream): void {
    stream.id = writer.open(stream.node, stream.plan.label);
    ready.add(stream);
  }
  function complete(fragment: Fragment): void {
    fragment.isOver = true;
    const sent = fragment.pieces.filter(({ state }) => state === "succeeded");
    for (const piece of sent) {
      piece.state = "sent";
      if (piece.run) writer.addData(fragment.id, fragment.node, piece.node, piece.run);
    }
    writer.complete(fragment.id);
    fragment.children?.forEach(announce);
    for (const { streams } of sent) streams.forEach(announceStream);
  }
  function fail(fragment: Fragment, { errors }: Run): void {
    fragment.isOver = true;
    writer.complete(fragment.id, errors);
  }

  function whenSettled(run: Run, goOn: () => void): void {
    if (run.pending === 0) return goOn();
    run.onSettled = () => {
      settled.push(goOn);
      wake();
    };
  }

  function startRun(continues: ResponseNode): Run {
    if (!shared) throw new Error("The first part is not executed.");
    return createRun(shared, continues);
  }

  function runPiece(piece: Piece): void {
    const { fragments, node, source } = piece;
    if (piece.run || fragments.every(({ isOver }) => isOver)) return;
    const run = startRun(node);
    piece.run = run;
    run.data = piece.complete(run, node, null, source);
    whenSettled(run, () => {
      piece.streams = addFound(run);
      piece.state = run.data === null ? "failed" : "succeeded";
      for (const fragment of fragments) {
        fragment.left -= 1;
        if (fragment.isOver || !fragment.id) continue;
        if (run.data === null) fail(fragment, run);
        else if (fragment.left === 0) complete(fragment);
      }
    });
  }

  function runItem(stream: Stream): void {
    const { plan, node: parent, items, next } = stream;
    const run = startRun(parent);
    run.minUnits = ITEM_SIZE;
    const data: Record<number, unknown> = {};
    const node = { parent, key: null, data, typeName: null, nullable: parent.nullable, isDiscarded: false };
    run.data = data;
    stream.runs.push(run);
    stream.next += 1;
    if (stream.next < items.length) ready.add(stream);
    data[next] = plan.completeItem(run, node, next, items[next]);
    whenSettled(run, () => sendItems(stream));
  }
  function sendItems(stream: Stream): void {
    const { id, items, runs } = stream;
    while (!stream.isOver && runs[0]?.pending === 0) {
      const index = stream.next - runs.length;
      const run = runs.shift() as Run;
      const begun = addFound(run);
      if (run.data === null) return endStream(stream, run.errors);
      writer.addItem(id, (run.data as unknown[])[index], run.errors);
      begun.forEach(announceStream);
    }
    if (!stream.isOver && runs.length === 0 && stream.next === items.length) endStream(stream, []);
  }
  function endStream(stream: Stream, errors: readonly GraphQLError[]): void {
    stream.isOver = true;
    ready.delete(stream);
    writer.complete(stream.id, errors);
  }

  return {
    addObject: finder.addObject,
    addList: finder.addList,
    /** Called with the run of the first part. */
    begin(run: Run): void {
      shared = run;
      addFound(run).forEach(announceStream);
    },
    /** Executes what can begin, for about as long. The rest waits for the next call. */
    execute(milliseconds: number): void {
      const goOn = settled;
      settled = [];
      for (const each of goOn) each();
      const end = performance.now() + milliseconds;
      for (const work of ready) {
        ready.delete(work);
        if ("items" in work) runItem(work);
        else runPiece(work);
        if (performance.now() >= end) break;
      }
    },
    /** Resolves when there is something to execute. A call of `wakeUp` resolves it too. */
    whenReady(): Promise<void> | undefined {
      if (ready.size > 0 || settled.length > 0) return undefined;
      // All promises that settle in the same turn are executed in one slice.
      return new Promise((resolve) => (wake = () => process.nextTick(resolve)));
    },
    wakeUp: () => wake(),
    takePart: writer.takePart,
  };
}
