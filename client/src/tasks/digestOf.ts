// A digest of a task's input, which tells equal inputs from others. It is no protection against people who look for two inputs
// with one digest: such inputs would get one key, and the gateway refuses the second with IDEMPOTENCY_CONFLICT.
import type { TaskInput } from "../types.ts";

/** Names in any order, and fields that are undefined, make no difference. The key of the input does not count. */
export function digestOf(input: TaskInput): string {
  const counted = { ...input, idempotencyKey: undefined };
  const text = JSON.stringify(counted, (_, value: unknown) => (isRecord(value) ? sorted(value) : value));
  return [0, 1, 2].map((seed) => hash(text, seed).toString(36)).join("-");
}

function sorted(record: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(record).sort(([a], [b]) => (a < b ? -1 : 1)));
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** cyrb53: 53 bits. crypto.subtle is missing on pages without HTTPS. */
function hash(text: string, seed: number): number {
  let a = 0xdeadbeef ^ seed;
  let b = 0x41c6ce57 ^ seed;
  for (let index = 0; index < text.length; index += 1) {
    const code = text.charCodeAt(index);
    a = Math.imul(a ^ code, 2654435761);
    b = Math.imul(b ^ code, 1597334677);
  }
  a = Math.imul(a ^ (a >>> 16), 2246822507) ^ Math.imul(b ^ (b >>> 13), 3266489909);
  b = Math.imul(b ^ (b >>> 16), 2246822507) ^ Math.imul(a ^ (a >>> 13), 3266489909);
  return 4294967296 * (2097151 & b) + (a >>> 0);
}
