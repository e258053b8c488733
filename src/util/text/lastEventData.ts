/** The data of the last event of a text in the form of server-sent events. Empty: it has none. */
export function lastEventData(text: string): string {
  const data = text.split(/\r?\n/).filter((line) => line.startsWith("data:"));
  return (data.at(-1) ?? "").slice("data:".length).trimStart();
}
