// All proofs about the service, by name. They are read in memory. The gateways of a database share them: every few seconds each
// writes what it has learned and reads what the others know. So a restart repeats no check until a proof expires, and a
// contradiction that one gateway sees makes the behaviour unproven for all.
import type { Logger } from "../logger.ts";
import type { ProofStore } from "../store/shared/proofStore.ts";
import { DAY_MS, SECOND_MS } from "../util/durations.ts";
import { startRepeating } from "../util/startRepeating.ts";
import { createProof, type OwnProof, type Proof } from "./proof.ts";

export interface Proofs {
  /** The proof of this name, always the same one. */
  of(name: string): Proof;
}

export interface SharedProofsDeps {
  store: ProofStore;
  /** Names the service and how it is asked: proofs about another one say nothing. */
  service: string;
  /** Epoch milliseconds, for what expires. */
  clock: () => number;
  log: Logger;
  intervalMs?: number;
}

/** From the first confirmation. A behaviour that still holds is then proven again, by one check. */
export const PROOF_LIFE_MS = DAY_MS;
const SYNC_MS = 10 * SECOND_MS;

/** For the life of the process. */
export function createProofs(): Proofs {
  return createLocalProofs();
}

/** Reads the stored proofs before it resolves. Throws STORE_UNAVAILABLE. Disposing it writes what was learned last. */
export async function openSharedProofs(deps: SharedProofsDeps): Promise<Proofs & AsyncDisposable> {
  const { store, service, clock, log, intervalMs = SYNC_MS } = deps;
  const local = createLocalProofs();
  let isFailing = false;

  async function sync(): Promise<void> {
    const changes = local.takeChanges();
    try {
      const contradicted = [...changes].filter(([, { isContradiction }]) => isContradiction).map(([name]) => name);
      await store.delete(service, contradicted);
      const sizes = new Map((await store.all(service, clock())).map(({ name, size }) => [name, size]));
      const larger = [...changes].flatMap(([name, { size }]) =>
        size > (sizes.get(name) ?? 0) ? [{ name, size }] : [],
      );
      await store.save(service, larger, clock() + PROOF_LIFE_MS);
      for (const { name, size } of larger) sizes.set(name, size);
      local.restore(sizes);
    } catch (error) {
      local.returnChanges(changes);
      throw error;
    }
  }
  /** Logs the first of failures in a row. */
  async function trySync(): Promise<void> {
    try {
      await sync();
      isFailing = false;
    } catch (err) {
      if (!isFailing) log.warn({ err }, "what was learned about the service cannot be stored; it is tried again");
      isFailing = true;
    }
  }

  await sync();
  const repeating = startRepeating(async () => {
    await trySync();
    return intervalMs;
  });
  return {
    of: local.of,
    async [Symbol.asyncDispose]() {
      await repeating[Symbol.asyncDispose]();
      await trySync();
    },
  };
}

interface Change {
  /** 0: it is not proven. */
  size: number;
  /** It was contradicted since the last write, so what is stored is void. */
  isContradiction: boolean;
}

function createLocalProofs() {
  const proofs = new Map<string, OwnProof>();
  /** By the names of proofs that changed. True: one of the changes was a contradiction. */
  let changed = new Map<string, boolean>();

  function note(name: string, isContradiction: boolean): void {
    changed.set(name, isContradiction || changed.get(name) === true);
  }
  const of = (name: string): OwnProof =>
    proofs.getOrInsertComputed(name, () => createProof((isContradiction) => note(name, isContradiction)));
  return {
    of,
    /** The changes since the last call. */
    takeChanges(): Map<string, Change> {
      const taken = changed;
      changed = new Map();
      return new Map(
        [...taken].map(([name, isContradiction]) => [name, { size: of(name).provenSize(), isContradiction }]),
      );
    },
    /** Takes back changes that could not be written. */
    returnChanges(changes: ReadonlyMap<string, Change>): void {
      for (const [name, { isContradiction }] of changes) note(name, isContradiction);
    },
    /** What changed since takeChanges is newer than these sizes. */
    restore(sizes: ReadonlyMap<string, number>): void {
      for (const name of sizes.keys()) of(name);
      for (const [name, proof] of proofs) if (!changed.has(name)) proof.restore(sizes.get(name) ?? 0);
    },
  };
}
