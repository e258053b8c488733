// The work that an answer in parts leaves for later parts: deferred fragments, and the rest of streamed lists. Compiled functions add
// it while they run. The client knows a fragment or a list as `pending` from the part in which it can begin, until it is complete.
import type { GraphQLError } from "graphql";
import type { Defer } from "./collectFields.ts";
import { createPartWriter } from "./partWriter.ts";
import type { PartsLimits } from "./partsLimits.ts";
import {
  createRun,
  isInDiscarded,
  ITEM_SIZE,
  type Complete,
  type CompleteObject,
  type ResponseNode,
  type Run,
  type RunContext,
} from "./runCompiled.ts";

/** What of an object comes later. */
export interface DeferPlan {
  /** The fields that the object has now. */
  fieldCount: number;
  /** The uses of `@defer` that begin at the object. */
  defers: readonly Defer[];
  parts: readonly { defers: readonly Defer[]; complete: CompleteObject }[];
}

export interface StreamPlan {
  label: string | undefined;
  completeItem: Complete;
}

/** A deferred fragment of one object. */
interface Fragment {
  defer: Defer;
  node: ResponseNode;
  parent: Fragment | null;
  children: Fragment[];
  pieces: Piece[];
  /** Pieces that are not executed. */
  left: number;
  /** Empty until the client knows it. */
  id: string;
  isOver: boolean;
}

/** Fields of one object that are executed together, because they belong to the same fragments. */
interface Piece {
  fragments: readonly Fragment[];
  node: ResponseNode;
  source: unknown;
  complete: CompleteObject;
  /** Null until it is executed. */
  run: Run | null;
  state: "waits" | "succeeded" | "failed" | "sent";
  /** Lists in its data. They begin when it was sent. */
  streams: readonly Stream[];
}

/** The rest of a list. Each item has a run of its own; they are sent in order. */
interface Stream {
  plan: StreamPlan;
  node: ResponseNode;
  items: readonly unknown[];
  /** The next item to execute. */
  next: number;
  /** Items that are not sent. */
  runs: Run[];
  id: string;
  isOver: boolean;
}

/** What one run has found. */
export interface FoundWork {
  fragments: Fragment[];
  pieces: Piece[];
  streams: Stream[];
}

export type DeferredWork = ReturnType<typeof createDeferredWork>;

/** For one answer. */
export function createDeferredWork(limits: PartsLimits) {
  const writer = createPartWriter(limits);
  /** By the object at which they begin. */
  const fragmentsAt = new Map<ResponseNode, Fragment[]>();
  const ready = new Set<Piece | Stream>();
  /** Called in the slice that goes on, for runs that have settled since. */
  let settled: (() => void)[] = [];
  /** Taken from the run of the first part. */
  let shared: RunContext | null = null;
  let wake = (): void => undefined;

  const foundOf = (run: Run) => (run.found ??= { fragments: [], pieces: [], streams: [] });

  /** The fragment that holds a node of the answer. */
  function fragmentOf(node: ResponseNode, defer: Defer): Fragment {
    for (let at: ResponseNode | null = node; at; at = at.parent) {
      const fragment = fragmentsAt.get(at)?.find((each) => each.defer === defer);
      if (fragment) return fragment;
    }
    throw new Error("A deferred field is outside of its fragment.");
  }

  /** Adds what an ended run has found, unless an error has set its place to null. Returns the lists that it has begun. */
  function takeFound(run: Run): readonly Stream[] {
    limits.addRun(run);
    const { found } = run;
    if (!found) return [];
    run.found = null;
    const isKept = ({ node }: { node: ResponseNode }) => run.errors.length === 0 || !isInDiscarded(node);
    for (const piece of found.pieces) {
      if (!isKept(piece)) continue;
      for (const fragment of piece.fragments) {
        fragment.pieces.push(piece);
        fragment.left += 1;
        if (fragment.id) ready.add(piece);
      }
    }
    for (const fragment of found.fragments) fragment.parent?.children.push(fragment);
    for (const fragment of found.fragments) if (!fragment.parent) announce(fragment);
    return found.streams.filter(isKept);
  }

  /** A fragment without fields of its own is never pending; the fragments in it take its place. */
  function announce(fragment: Fragment): void {
    if (fragment.pieces.length === 0) return fragment.children.forEach(announce);
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
    fragment.children.forEach(announce);
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
      piece.streams = takeFound(run);
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
      const begun = takeFound(run);
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
    /** Called for each object, before it is known whether an error sets it to null. */
    addObject(run: Run, node: ResponseNode, source: unknown, { fieldCount, defers, parts }: DeferPlan): void {
      if (!limits.addFields(fieldCount)) run.minUnits = Infinity;
      if (defers.length === 0 && parts.length === 0) return;
      const found = foundOf(run);
      const own: Fragment[] = [];
      if (defers.length > 0) fragmentsAt.set(node, own);
      for (const defer of defers) {
        const parent = defer.parent && fragmentOf(node, defer.parent);
        own.push({ defer, node, parent, children: [], pieces: [], left: 0, id: "", isOver: false });
      }
      found.fragments.push(...own);
      for (const part of parts) {
        const fragments = part.defers.map((defer) => fragmentOf(node, defer));
        const { complete } = part;
        found.pieces.push({ fragments, node, source, complete, run: null, state: "waits", streams: [] });
      }
    },
    /** Called when the first items of the list are in the node's data. */
    addList(run: Run, node: ResponseNode, items: readonly unknown[], next: number, plan: StreamPlan): void {
      // Nobody else handles an error of an item that waits for its turn.
      for (const item of items.slice(next)) if (item instanceof Promise) item.catch(() => undefined);
      foundOf(run).streams.push({ plan, node, items, next, runs: [], id: "", isOver: false });
    },
    /** Called with the run of the first part. */
    begin(run: Run): void {
      shared = run;
      takeFound(run).forEach(announceStream);
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
