// Holds what is under way. A Set would do, but whoever comes and goes in thousands a second leaves it tables that still
// hold those who left, one behind the other, until the old generation is collected; an array leaves nothing.

export interface Bag<Value> {
  /** Gives back what takes it out again. */
  add(value: Value): () => void;
  /** In no order. */
  values(): Value[];
}

const GONE = -1;

export function createBag<Value>(): Bag<Value> {
  const places: { value: Value; at: number }[] = [];
  return {
    add(value) {
      const place = { value, at: places.length };
      places.push(place);
      return () => {
        const { at } = place;
        if (at === GONE) return;
        const last = places.pop();
        if (last && last !== place) {
          last.at = at;
          places[at] = last;
        }
        place.at = GONE;
      };
    },
    values: () => places.map(({ value }) => value),
  };
}
