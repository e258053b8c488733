// A map for entries that come and go thousands of times a second: a hash table with chaining, in a fixed array. A Map makes a new
// table after every few hundred changes, and each old table refers to the next one. When one of them gets into V8's old
// generation, it keeps all later ones, and what they held, until the next full collection.

export interface ChainedMap<Key, Value> {
  get(key: Key): Value | undefined;
  /** A new key becomes the last one. A known key keeps its place. */
  set(key: Key, value: Value): void;
  delete(key: Key): void;
  /** In the order in which the keys came. Later changes of the map do not change the list. */
  values(): Value[];
}

interface Entry<Key, Value> {
  key: Key;
  value: Value;
  hash: number;
  /** The next one of the same chain. */
  inChain: Entry<Key, Value> | null;
  /** The neighbours in the order of all. */
  before: Entry<Key, Value> | null;
  after: Entry<Key, Value> | null;
}

/** A power of two. With more entries the chains grow longer. */
const CHAINS = 1024;

/** `hashOf` returns an integer. Its last ten bits choose the chain. */
export function createChainedMap<Key, Value>(hashOf: (key: Key) => number): ChainedMap<Key, Value> {
  const chains = Array.from<Entry<Key, Value> | null>({ length: CHAINS }).fill(null);
  let first: Entry<Key, Value> | null = null;
  let last: Entry<Key, Value> | null = null;

  function find(key: Key, hash: number): Entry<Key, Value> | null {
    let entry = chains[hash & (CHAINS - 1)] as Entry<Key, Value> | null;
    while (entry && (entry.hash !== hash || entry.key !== key)) entry = entry.inChain;
    return entry;
  }
  function takeFromChain(entry: Entry<Key, Value>): void {
    const chain = entry.hash & (CHAINS - 1);
    let other = chains[chain] as Entry<Key, Value>;
    if (other === entry) {
      chains[chain] = entry.inChain;
      return;
    }
    while (other.inChain !== entry) other = other.inChain as Entry<Key, Value>;
    other.inChain = entry.inChain;
  }

  return {
    get: (key) => find(key, hashOf(key))?.value,
    set(key, value) {
      const hash = hashOf(key);
      const known = find(key, hash);
      if (known) {
        known.value = value;
        return;
      }
      const chain = hash & (CHAINS - 1);
      const entry = { key, value, hash, inChain: chains[chain] as Entry<Key, Value> | null, before: last, after: null };
      chains[chain] = entry;
      if (last) last.after = entry;
      else first = entry;
      last = entry;
    },
    delete(key) {
      const entry = find(key, hashOf(key));
      if (!entry) return;
      takeFromChain(entry);
      if (entry.before) entry.before.after = entry.after;
      else first = entry.after;
      if (entry.after) entry.after.before = entry.before;
      else last = entry.before;
      // A removed entry in the old generation must not keep others.
      entry.inChain = entry.before = entry.after = null;
    },
    values() {
      const values: Value[] = [];
      for (let entry = first; entry; entry = entry.after) values.push(entry.value);
      return values;
    },
  };
}
