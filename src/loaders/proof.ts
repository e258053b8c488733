// What is known about one behaviour of the service. A behaviour is checked until it is proven, and again after a contradiction
// and when the proof has expired (proofs.ts).

export interface Proof {
  /** For a behaviour with a size, such as the number of tasks in a filter: proven up to `size`. */
  isProven(size?: number): boolean;
  isContradicted(): boolean;
  /** Contradictions since the last confirmation. */
  contradictions(): number;
  /** Confirms the behaviour, up to `size`. */
  confirm(size?: number): void;
  /** Makes the behaviour unproven again. */
  contradict(): void;
  /** The check in flight; null: none. Callers can wait for it with resultOrAbort. */
  checkInFlight(): Promise<boolean> | null;
  /** Makes `check` the check in flight until it settles. */
  run(check: Promise<boolean>): Promise<boolean>;
}

/** A proof for proofs.ts. */
export interface OwnProof extends Proof {
  /** 0: it is not proven. */
  provenSize(): number;
  /** Sets the proven size to what gateways know together. A contradiction that was seen here stays. */
  restore(size: number): void;
}

/** `onChange` is called when the proven size has changed, but not by `restore`. */
export function createProof(onChange: (isContradiction: boolean) => void = ignore): OwnProof {
  let provenSize = 0;
  let contradictions = 0;
  let inFlight: Promise<boolean> | null = null;
  return {
    isProven: (size = 1) => provenSize >= size,
    isContradicted: () => contradictions > 0,
    contradictions: () => contradictions,
    confirm(size = 1) {
      contradictions = 0;
      if (size <= provenSize) return;
      provenSize = size;
      onChange(false);
    },
    contradict() {
      provenSize = 0;
      contradictions += 1;
      onChange(true);
    },
    checkInFlight: () => inFlight,
    async run(check) {
      inFlight = check;
      try {
        return await check;
      } finally {
        if (inFlight === check) inFlight = null;
      }
    },
    provenSize: () => provenSize,
    restore(size) {
      if (contradictions === 0) provenSize = size;
    },
  };
}

const ignore = () => undefined;

/**
 * The finding of another list's check; null where that check failed, which says nothing about this list. Rejects with the
 * signal's reason as soon as the signal is aborted.
 */
export async function resultOrAbort(check: Promise<boolean>, signal: AbortSignal): Promise<boolean | null> {
  signal.throwIfAborted();
  const aborted = Promise.withResolvers<never>();
  const onAbort = () => aborted.reject(signal.reason);
  signal.addEventListener("abort", onAbort, { once: true });
  try {
    return await Promise.race([check.catch(() => null), aborted.promise]);
  } finally {
    signal.removeEventListener("abort", onAbort);
  }
}
