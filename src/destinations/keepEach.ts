// Keeps something running for each entry of a list that changes, such as that of a file: until the entry goes, and anew where it has changed.

export interface ChangingList<Entry> {
  current(): readonly Entry[];
  /** Returns what ends the calls. */
  onChange(listener: () => void): () => void;
}

export interface KeptWork<Entry> {
  /** Two entries of a name with the same text are the same. */
  textOf(entry: Entry): string;
  start(entry: Entry): AsyncDisposable;
  /** Called when an entry has left the list, and what ran for it has ended. */
  ended(name: string): void;
}

/** What runs for a name ends before the next one for it begins. Disposing it ends all. */
export function keepEach<Entry extends { name: string }>(
  { current, onChange }: ChangingList<Entry>,
  { textOf, start, ended }: KeptWork<Entry>,
): AsyncDisposable {
  const running = new Map<string, { text: string; work: AsyncDisposable }>();
  let following = Promise.resolve();
  let isStopped = false;

  async function follow(): Promise<void> {
    const wanted = new Map(current().map((entry) => [entry.name, { entry, text: textOf(entry) }]));
    const changed = [...running].filter(([name, { text }]) => wanted.get(name)?.text !== text);
    await Promise.all(changed.map(([, { work }]) => work[Symbol.asyncDispose]()));
    for (const [name] of changed) {
      running.delete(name);
      if (!wanted.has(name)) ended(name);
    }
    for (const [name, { entry, text }] of wanted)
      if (!isStopped && !running.has(name)) running.set(name, { text, work: start(entry) });
  }
  const followLater = () => void (following = following.then(follow));
  const stopListening = onChange(followLater);
  followLater();
  return {
    async [Symbol.asyncDispose]() {
      isStopped = true;
      stopListening();
      await following;
      await Promise.all(Array.from(running.values(), ({ work }) => work[Symbol.asyncDispose]()));
    },
  };
}
