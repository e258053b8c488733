// Items that wait under names. Names take turns, so that one with a thousand items delays another one by one item.

export interface RoundRobin<Item> {
  countOf(name: string): number;
  add(name: string, item: Item): void;
  /** Takes the first item of the first name that may have a turn, and moves that name behind the others. */
  take(mayHaveTurn?: (name: string) => boolean): Item | undefined;
  remove(name: string, item: Item): void;
}

export function createRoundRobin<Item>(): RoundRobin<Item> {
  /** In the order of turns. No name is without items. */
  const turns = new Map<string, Set<Item>>();

  function remove(name: string, item: Item): void {
    const items = turns.get(name);
    items?.delete(item);
    if (items?.size === 0) turns.delete(name);
  }
  return {
    countOf: (name) => turns.get(name)?.size ?? 0,
    add(name, item) {
      turns.getOrInsertComputed(name, () => new Set()).add(item);
    },
    take(mayHaveTurn = () => true) {
      for (const [name, items] of turns) {
        if (!mayHaveTurn(name)) continue;
        const [first] = items;
        remove(name, first as Item);
        if (turns.delete(name)) turns.set(name, items);
        return first;
      }
      return undefined;
    },
    remove,
  };
}

/** Names within groups: groups take turns, and within each the names do. */
export interface GroupedRoundRobin<Item> {
  add(place: { group: string; name: string }, item: Item): void;
  take(): Item | undefined;
}

export function createGroupedRoundRobin<Item>(): GroupedRoundRobin<Item> {
  const itemsOf = new Map<string, RoundRobin<Item>>();
  /** One turn for each item of a group. */
  const turns = createRoundRobin<{ group: string }>();
  return {
    add({ group, name }, item) {
      turns.add(group, { group });
      itemsOf.getOrInsertComputed(group, () => createRoundRobin()).add(name, item);
    },
    take() {
      const turn = turns.take();
      if (turn === undefined) return undefined;
      const item = itemsOf.get(turn.group)?.take();
      if (turns.countOf(turn.group) === 0) itemsOf.delete(turn.group);
      return item;
    },
  };
}
