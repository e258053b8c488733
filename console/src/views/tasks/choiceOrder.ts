// The assistants and lines that a new task can name, in an order that stays: those of the settings as they stand there, then the others by
// their IDs. The gateway lists first what it met last, which would move them under the pointer.

export interface Choice {
  id: string;
  name: string | null;
}

interface Node extends Choice {
  knownFrom: readonly string[];
}

/** IDs may be too large for a number. */
export function inOrder(nodes: readonly Node[]): Choice[] {
  const isNamed = ({ knownFrom }: Node) => knownFrom.includes("SETTING");
  const others = nodes.filter((node) => !isNamed(node));
  const sorted = others.toSorted(({ id: one }, { id: other }) => one.length - other.length || (one < other ? -1 : 1));
  return [...nodes.filter(isNamed), ...sorted].map(({ id, name }) => ({ id, name }));
}
