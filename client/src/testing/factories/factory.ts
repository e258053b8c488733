// Builds a factory from a table of default values: a value, or a function of the given fields.
export type Factory<T> = (given?: Partial<T>) => T;

/** Each field of T: its default value, or how to make it. Makes nothing that the caller gives. */
export type Defaults<T> = {
  [Field in Exclude<keyof T, "__typename">]: T[Field] | ((given: Partial<T>) => T[Field]);
};

export function createFactory<T extends { __typename: string }>(
  typename: T["__typename"],
  defaults: Defaults<T>,
): Factory<T> {
  const entries = Object.entries(defaults) as [keyof T, unknown][];
  return (given = {}) => {
    const made: Partial<T> = { __typename: typename } as Partial<T>;
    for (const [field, value] of entries)
      made[field] = (field in given ? given[field] : typeof value === "function" ? value(given) : value) as T[keyof T];
    return made as T;
  };
}

/** A page's fields that follow from its nodes. */
export const edgesOf = <Node, Edge>(
  nodes: readonly Node[],
  edge: (given: { cursor: string; node: Node }) => Edge,
): Edge[] => nodes.map((node, index) => edge({ cursor: `cursor-${index + 1}`, node }));
