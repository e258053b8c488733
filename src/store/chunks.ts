const IDS_AT_ONCE = 1000;

/** A statement holds 32,766 values at most, and a long one is parsed for longer than it saves. */
export function chunksOf<T>(all: readonly T[]): T[][] {
  return Array.from({ length: Math.ceil(all.length / IDS_AT_ONCE) }, (_, at) =>
    all.slice(at * IDS_AT_ONCE, (at + 1) * IDS_AT_ONCE),
  );
}
