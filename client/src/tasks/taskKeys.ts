// Decides which idempotency key a task gets. The rule: a key is never replaced while the outcome of its task is unknown, and
// the same input never gets a second key by itself.
import { digestOf } from "./digestOf.ts";
import type { KeyStore, Submission, TaskInput } from "../types.ts";

interface Entry {
  key: string;
  digest: string;
  /** The service took the task, or it was proposed. Another input in the same slot is another task. */
  isCreated: boolean;
}

export interface TaskKey {
  key: string;
  /** Keeps the outcome of the task, if `status` tells it. Rejects if the store does. */
  settle?(status: Submission["status"] | undefined): Promise<void>;
}

export function slotOf(task: TaskInput | string): string {
  return typeof task === "string" ? task : digestOf(task);
}

/** The key is stored before this resolves. Rejects if the store does: then nothing may be sent. */
export async function takeTaskKey(input: TaskInput, name: string | undefined, store: KeyStore): Promise<TaskKey> {
  const digest = digestOf(input);
  const slot = name ?? digest;
  const text = await store.update(slot, (text) => {
    const entry = parse(text);
    const isAnother = !entry || (entry.isCreated && entry.digest !== digest);
    return isAnother ? JSON.stringify({ key: createKey(), digest, isCreated: false } satisfies Entry) : text;
  });
  const { key } = parse(text) as Entry;
  return {
    key,
    async settle(status) {
      const isCreated = status === "ACCEPTED" || status === "RESOLVED" || status === "PROPOSED";
      // Nothing was created, and the key is used up.
      const isOver = status === "REJECTED" || status === "DECLINED" || status === "EXPIRED";
      if (!isCreated && !isOver) return;
      const settled = isCreated ? JSON.stringify({ key, digest, isCreated } satisfies Entry) : null;
      // Another tab may have put another key here meanwhile.
      await store.update(slot, (text) => (parse(text)?.key === key ? settled : text));
    },
  };
}

function parse(text: string | null): Entry | null {
  return text === null ? null : (JSON.parse(text) as Entry);
}

/** A UUID of version 4. crypto.randomUUID is missing on pages without HTTPS. */
function createKey(): string {
  return "10000000-1000-4000-8000-100000000000".replace(/[018]/g, (digit) => {
    const [random = 0] = crypto.getRandomValues(new Uint8Array(1));
    return (Number(digit) ^ (random & (15 >> (Number(digit) / 4)))).toString(16);
  });
}
