// The end of a request before its answer: nobody waits for it any more, or its deadline has passed. An AbortSignal would do,
// but its listeners cost Node more than all else of a request; here one party listens at a time, whoever has the request now.

export interface Ending {
  isOver: boolean;
  /** What those who wait are told. */
  reason: unknown;
  /** Called once, when it is over. */
  onOver: (() => void) | null;
}

export function createEnding(): Ending {
  return { isOver: false, reason: undefined, onOver: null };
}

/** The first reason counts. */
export function endFor(ending: Ending, reason: unknown): void {
  if (ending.isOver) return;
  ending.isOver = true;
  ending.reason = reason;
  ending.onOver?.();
}

export function throwIfOver({ isOver, reason }: Ending): void {
  if (isOver) throw reason;
}
