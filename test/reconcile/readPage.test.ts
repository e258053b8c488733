import { describe, expect, it } from "vitest";
import { CodedError } from "../../src/errors.ts";
import { readPage } from "../../src/reconcile/readPage.ts";
import { row } from "./service.ts";

/** A list of so many rows, of which some break the contract. */
function listOf(length: number, bad: readonly number[], failure = new CodedError("UPSTREAM_CONTRACT", "a row")) {
  const asked: [number, number][] = [];
  return {
    asked,
    load: async (pageIndex: number, pageSize: number) => {
      asked.push([pageIndex, pageSize]);
      const start = (pageIndex - 1) * pageSize;
      if (bad.some((at) => at >= start && at < start + pageSize)) throw failure;
      const places = Array.from({ length }, (_, at) => at).slice(start, start + pageSize);
      return { rows: places.map((at) => row({ sessionId: String(at) })), total: length, pageIndex, pageSize };
    },
  };
}

async function read(list: ReturnType<typeof listOf>, pageIndex: number) {
  let unreadable = 0;
  const page = await readPage(list.load, pageIndex, 100, () => (unreadable += 1));
  return { ids: page.rows.map(({ sessionId }) => Number(sessionId)), page, unreadable };
}

describe("a row that breaks the contract costs only itself", () => {
  it("all others of its page are read, in order", async () => {
    const list = listOf(250, [107, 193]);
    const { ids, page, unreadable } = await read(list, 2);
    const others = Array.from({ length: 100 }, (_, at) => 100 + at).filter((at) => at !== 107 && at !== 193);
    expect(ids).toEqual(others);
    expect(page).toMatchObject({ total: 250, pageIndex: 2, pageSize: 100 });
    expect(unreadable).toBe(2);
    expect(list.asked.length).toBe(1 + 10 + 2 * 10);
  });

  it("also on the last page", async () => {
    const { ids, unreadable } = await read(listOf(205, [203]), 3);
    expect(ids).toEqual([200, 201, 202, 204]);
    expect(unreadable).toBe(1);
  });

  it("a page that can be read is asked for once", async () => {
    const list = listOf(250, [50]);
    await read(list, 2);
    expect(list.asked).toEqual([[2, 100]]);
  });
});

describe("what is not a row's fault is an error", () => {
  it("a service of which nothing can be read, after a few requests", async () => {
    const list = listOf(
      300,
      Array.from({ length: 300 }, (_, at) => at),
    );
    let unreadable = 0;
    const page = readPage(list.load, 2, 100, () => (unreadable += 1));
    await expect(page).rejects.toMatchObject({ code: "UPSTREAM_CONTRACT" });
    expect(list.asked.length).toBe(12);
    // No row is blamed for it.
    expect(unreadable).toBe(0);
  });

  it("a service that is away, at once", async () => {
    const list = listOf(300, [150], new CodedError("UPSTREAM_UNAVAILABLE", "away"));
    await expect(read(list, 2)).rejects.toMatchObject({ code: "UPSTREAM_UNAVAILABLE" });
    expect(list.asked.length).toBe(1);
  });
});
