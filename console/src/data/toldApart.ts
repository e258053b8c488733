/** The label of each ID: its name and, where another one has the same name, its ID, too. */
export function toldApart(names: ReadonlyMap<string, string>): ReadonlyMap<string, string> {
  const counts = new Map<string, number>();
  for (const name of names.values()) counts.set(name, (counts.get(name) ?? 0) + 1);
  const labelOf = (id: string, name: string) => ((counts.get(name) ?? 0) > 1 ? `${name} (${id})` : name);
  return new Map([...names].map(([id, name]) => [id, labelOf(id, name)]));
}
