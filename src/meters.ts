// What the gateway counts of itself, whether anybody asks or not: plain numbers, which http/metrics.ts shows. A label is one
// of a few words of ours, and never anything of a person or a viewer.

export interface Meter<Label extends string> {
  add(labels: Readonly<Record<Label, string>>): void;
  read(): { labels: Record<Label, string>; count: number }[];
}

export interface Meters {
  /** Operations, by transport (http, sse, websocket), kind, and OK or the code of the first error. */
  operations: Meter<"transport" | "kind" | "code">;
  /** Headers of webhooks: which accepted value it was (current, previous), or none. */
  webhookAuth: Meter<"secret">;
  /** Authentic webhooks, by what became of them. */
  webhooks: Meter<"outcome">;
  /** What was not served: where it ended, and the HTTP status, the close code, or a word. */
  notServed: Meter<"place" | "status">;
}

export function createMeters(): Meters {
  return { operations: createMeter(), webhookAuth: createMeter(), webhooks: createMeter(), notServed: createMeter() };
}

function createMeter<Label extends string>(): Meter<Label> {
  const counts = new Map<string, { labels: Record<Label, string>; count: number }>();
  return {
    add(labels) {
      const key = Object.values(labels).join("\0");
      const known = counts.get(key);
      if (known) known.count += 1;
      else counts.set(key, { labels: { ...labels }, count: 1 });
    },
    read: () => [...counts.values()],
  };
}
