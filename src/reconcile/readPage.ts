// Reads a page of the call log around rows that break the service's own contract: one such row would make its page
// unreadable, and nothing behind it would ever be told.
import { CodedError } from "../errors.ts";
import type { CallLogPage } from "../upstream/upstream.ts";

export type LoadPage = (pageIndex: number, pageSize: number) => Promise<CallLogPage>;

const PARTS = 10;

/**
 * The page, without the rows that cannot be read by themselves, of which `onUnreadable` is told. A page of 100 is parted in
 * tens, and those in single rows: some 20 requests for one bad row. Throws UPSTREAM_CONTRACT where no row of a ten can be
 * read, for then it is not the rows; whatever else `load` throws is passed on.
 */
export async function readPage(
  load: LoadPage,
  pageIndex: number,
  pageSize: number,
  onUnreadable: () => void,
): Promise<CallLogPage> {
  try {
    return await load(pageIndex, pageSize);
  } catch (error) {
    if (!isBrokenContract(error) || pageSize % PARTS !== 0) throw error;
    const parts = await readParts((index) => readPart(load, index, pageSize / PARTS, onUnreadable), pageIndex);
    const readable = parts.filter((part) => part !== null);
    const [first] = readable;
    if (!first) throw error;
    for (const part of parts) if (!part) onUnreadable();
    return { ...first, rows: readable.flatMap(({ rows }) => rows), pageIndex, pageSize };
  }
}

async function readParts(
  read: (pageIndex: number) => Promise<CallLogPage | null>,
  pageIndex: number,
): Promise<(CallLogPage | null)[]> {
  const parts: (CallLogPage | null)[] = [];
  for (let part = 1; part <= PARTS; part += 1) parts.push(await read((pageIndex - 1) * PARTS + part));
  return parts;
}

/** Null: a single row that cannot be read. */
async function readPart(
  load: LoadPage,
  pageIndex: number,
  pageSize: number,
  onUnreadable: () => void,
): Promise<CallLogPage | null> {
  if (pageSize > 1) return readPage(load, pageIndex, pageSize, onUnreadable);
  try {
    return await load(pageIndex, 1);
  } catch (error) {
    if (isBrokenContract(error)) return null;
    throw error;
  }
}

function isBrokenContract(error: unknown): boolean {
  return error instanceof CodedError && error.code === "UPSTREAM_CONTRACT";
}
