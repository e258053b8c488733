// The work that a run of an answer in parts finds for later parts: deferred fragments, and the rest of streamed lists. Compiled
// functions add it while they run.
import type { Defer } from "./collectFields.ts";
import type { PartsLimits } from "./partsLimits.ts";
import {
  isInDiscarded,
  type CompleteObject,
  type DeferPlan,
  type FoundList,
  type ResponseNode,
  type Run,
  type StreamPlan,
} from "./runCompiled.ts";

/** A deferred fragment of one object. */
export interface Fragment {
  defer: Defer;
  node: ResponseNode;
  parent: Fragment | null;
  /** The deferred fragments in it. */
  children: Fragment[] | null;
  pieces: Piece[];
  /** Pieces that are not executed. */
  left: number;
  /** Empty until the client knows it. */
  id: string;
  isOver: boolean;
}

/** Fields of one object that are executed together, because they belong to the same fragments. */
export interface Piece {
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
export interface Stream extends FoundList {
  /** Items that are not sent. */
  runs: Run[];
  id: string;
  isOver: boolean;
}

/** For one answer. */
export function createWorkFinder(limits: Pick<PartsLimits, "addFields">) {
  /** By the object at which they begin. */
  const fragmentsAt = new Map<ResponseNode, Fragment[]>();

  const foundOf = (run: Run) => (run.found ??= { objects: [], lists: [] });

  /** The fragment that holds a node of the answer. */
  function fragmentOf(node: ResponseNode, defer: Defer): Fragment {
    for (let at: ResponseNode | null = node; at; at = at.parent) {
      const fragment = fragmentsAt.get(at)?.find((each) => each.defer === defer);
      if (fragment) return fragment;
    }
    throw new Error("A deferred field is outside of its fragment.");
  }

  return {
    /** Called for each object when it is executed, before it is known whether an error sets it to null. */
    addObject(run: Run, node: ResponseNode, source: unknown, plan: DeferPlan): void {
      if (!limits.addFields(plan.fieldCount)) run.minUnits = Infinity;
      if (plan.defers.length > 0 || plan.parts.length > 0) foundOf(run).objects.push({ node, source, plan });
    },
    /** Called when the first items of the list are in the node's data. */
    addList(run: Run, node: ResponseNode, items: readonly unknown[], next: number, plan: StreamPlan): void {
      // Nobody else handles an error of an item that waits for its turn.
      for (let at = next; at < items.length; at += 1) {
        const item = items[at];
        if (item instanceof Promise) item.catch(() => undefined);
      }
      foundOf(run).lists.push({ plan, node, items, next });
    },
    /** Returns what an ended run has found, but not where an error has set the place to null. */
    takeFound(run: Run): { fragments: Fragment[]; pieces: Piece[]; streams: Stream[] } | null {
      const { found } = run;
      if (!found) return null;
      run.found = null;
      if (run.errors.length > 0) {
        found.objects = found.objects.filter(({ node }) => !isInDiscarded(node));
        found.lists = found.lists.filter(({ node }) => !isInDiscarded(node));
      }
      const fragments: Fragment[] = [];
      const pieces: Piece[] = [];
      // An object is found after those in it, so its fragments are created before any is looked for.
      for (const { node, plan } of found.objects) {
        if (plan.defers.length === 0) continue;
        const own = plan.defers.map((defer) => newFragment(defer, node));
        fragmentsAt.set(node, own);
        fragments.push(...own);
      }
      for (const fragment of fragments) {
        const { parent } = fragment.defer;
        if (parent) fragment.parent = fragmentOf(fragment.node, parent);
      }
      for (const { node, source, plan } of found.objects) {
        for (const { defers, complete } of plan.parts) {
          const around = defers.map((defer) => fragmentOf(node, defer));
          pieces.push({ fragments: around, node, source, complete, run: null, state: "waits", streams: NONE });
        }
      }
      const streams = found.lists.map((list) => ({ ...list, runs: [], id: "", isOver: false }));
      return { fragments, pieces, streams };
    },
  };
}

const NONE: readonly never[] = [];

function newFragment(defer: Defer, node: ResponseNode): Fragment {
  return { defer, node, parent: null, children: null, pieces: [], left: 0, id: "", isOver: false };
}
