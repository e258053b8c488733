// What the gateway counts of itself, whether anybody asks or not: plain numbers, which server/metrics.ts shows. A label is one
// of a few words of ours, and never anything of a person or a viewer.

export interface Counter<Label extends string> {
  add(labels: Readonly<Record<Label, string>>): void;
  read(): { labels: Record<Label, string>; count: number }[];
}

export interface Counters {
  /** Operations, by transport (http, sse, websocket), kind, and OK or the code of the first error. */
  operations: Counter<"transport" | "kind" | "code">;
  /** Headers of webhooks: which accepted value it was (current, previous), or none. */
  webhookAuth: Counter<"secret">;
  /** Authentic webhooks, by what became of them. */
  webhooks: Counter<"outcome">;
  /** What was not served: where it ended, and the HTTP status, the close code, or a word. */
  rejections: Counter<"place" | "status">;
}

export function createCounters(): Counters {
  return { operations: createMeter(), webhookAuth: createMeter(), webhooks: createMeter(), rejections: createMeter() };
}

interface Count<Label extends string> {
  labels: Readonly<Record<Label, string>>;
  count: number;
}

interface Branch<Label extends string> {
  counted: Count<Label> | null;
  further: Map<string, Branch<Label>>;
}

function createMeter<Label extends string>(): Counter<Label> {
  const root: Branch<Label> = { counted: null, further: new Map() };
  const counts: Count<Label>[] = [];

  /** Label by label: one text of them all, made for each request, costs more than what it counts. */
  function countOf(labels: Readonly<Record<Label, string>>): Count<Label> {
    let branch = root;
    for (const name in labels) {
      const word = labels[name];
      let next = branch.further.get(word);
      if (!next) branch.further.set(word, (next = { counted: null, further: new Map() }));
      branch = next;
    }
    if (branch.counted) return branch.counted;
    const count = { labels: { ...labels }, count: 0 };
    counts.push(count);
    branch.counted = count;
    return count;
  }
  return {
    add(labels) {
      countOf(labels).count += 1;
    },
    read: () => counts.map(({ labels, count }) => ({ labels: { ...labels }, count })),
  };
}
