// A queue that whoever waits in it may leave from any place. A Set would do, but whoever comes and goes in thousands a second
// leaves it tables that still hold those who left (bag.ts); who has left here holds nobody.

export interface AbortableQueue<Value> {
  /** At its end. Gives back what takes it out again. */
  add(value: Value): () => void;
  first(): Value | undefined;
  size(): number;
}

interface Place<Value> {
  value: Value | undefined;
  before: Place<Value> | null;
  behind: Place<Value> | null;
}

export function createAbortableQueue<Value>(): AbortableQueue<Value> {
  let first: Place<Value> | null = null;
  let last: Place<Value> | null = null;
  let size = 0;

  function leave(place: Place<Value>): void {
    const { before, behind } = place;
    if (before) before.behind = behind;
    else first = behind;
    if (behind) behind.before = before;
    else last = before;
    size -= 1;
    place.before = place.behind = null;
    place.value = undefined;
  }
  return {
    add(value) {
      const place: Place<Value> = { value, before: last, behind: null };
      if (last) last.behind = place;
      else first = place;
      last = place;
      size += 1;
      let isIn = true;
      return () => {
        if (isIn) leave(place);
        isIn = false;
      };
    },
    first: () => first?.value,
    size: () => size,
  };
}
