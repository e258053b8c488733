// What filters of an address have in common. A phone number stands behind the `#`, which browsers send to no server and no
// proxy.

/** IDs are comma-separated. */
export function idsOf(value: unknown): string[] {
  if (typeof value !== "string") return [];
  const ids = value.split(",").map((id) => id.trim());
  return [...new Set(ids.filter((id) => id !== ""))].slice(0, 100);
}

/** A hang-up reason as calls state it; null: calls that state none. */
export type Reason = string | null;

/** The address may hold a reason of digits as a number. Undefined: no filter. */
export function reasonOf(value: unknown): Reason | undefined {
  if (value === null || (typeof value === "string" && value !== "")) return value;
  return typeof value === "number" ? String(value) : undefined;
}

export const phoneOf = (hash: string): string | null => new URLSearchParams(hash.replace(/^#/, "")).get("phone");

export const hashOf = (phone: string): string => (phone === "" ? "" : new URLSearchParams({ phone }).toString());

/** In an address, but no filter. */
const OTHERS = new Set(["call", "around", "range", "since", "until", "after", "offset", "at"]);

/** Whether the address holds a filter. Neither the time range nor the page is one. */
export const isFiltered = (search: object, phone: string | null): boolean =>
  phone !== null || Object.keys(search).some((name) => !OTHERS.has(name));
