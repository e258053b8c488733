// Seeded random numbers: the same seed parts give the same sequence on every machine. Not for secrets.
export interface Random {
  /** At least 0, below 1. */
  next(): number;
  /** An integer from min to max, both included. */
  int(min: number, max: number): number;
  chance(probability: number): boolean;
  pick<T>(list: readonly T[]): T;
  /** Picks by weight: `[weight, value]`. */
  weighted<T>(entries: readonly (readonly [number, T])[]): T;
  /** A shuffled copy. */
  shuffle<T>(list: readonly T[]): T[];
  hex(length: number): string;
}

/**
 * The parts are hashed into one seed. A sequence can therefore belong to one thing, such as attempt 2 at number 17 of a task,
 * and does not depend on what was drawn before: timing never changes an outcome.
 */
export function createRandom(...parts: readonly (string | number)[]): Random {
  let state = hash(parts.join("\u0000"));
  const next = () => {
    // mulberry32
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
  const int = (min: number, max: number) => min + Math.floor(next() * (max - min + 1));
  const pick = <T>(list: readonly T[]): T => {
    if (list.length === 0) throw new Error("The list to pick from is empty.");
    return list[int(0, list.length - 1)] as T;
  };
  return {
    next,
    int,
    pick,
    chance: (probability) => next() < probability,
    weighted: (entries) => {
      const total = entries.reduce((sum, [weight]) => sum + weight, 0);
      let left = next() * total;
      const found = entries.find(([weight]) => (left -= weight) < 0) ?? entries.at(-1);
      if (!found) throw new Error("The list to pick from is empty.");
      return found[1];
    },
    shuffle: (list) => {
      const copy = [...list];
      for (let at = copy.length - 1; at > 0; at -= 1) {
        const other = int(0, at);
        [copy[at], copy[other]] = [copy[other] as (typeof copy)[number], copy[at] as (typeof copy)[number]];
      }
      return copy;
    },
    hex: (length) => Array.from({ length }, () => int(0, 15).toString(16)).join(""),
  };
}

/** A 32-bit hash of a text: FNV-1a, mixed so that similar texts give different numbers. */
export function hash(text: string): number {
  let value = 0x811c9dc5;
  for (let at = 0; at < text.length; at += 1) value = Math.imul(value ^ text.charCodeAt(at), 0x01000193);
  value = Math.imul(value ^ (value >>> 16), 0x85ebca6b);
  return (value ^ (value >>> 13)) >>> 0;
}
