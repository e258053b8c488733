import { describe, expect, it } from "vitest";
import { CodedError } from "../../src/errors.ts";
import { readPage } from "../../src/loaders/readRange.ts";
import { row } from "../reconcile/service.ts";

/** A list with rows that violate the contract at the indexes `bad`. */
function listOf(length: number, bad: readonly number[], failure = new CodedError("UPSTREAM_CONTRACT", "a row")) {
  const requests: [number, number][] = [];
  return {
    requests,
    load: async (pageIndex: number, pageSize: number) => {
      requests.push([pageIndex, pageSize]);
      const start = (pageIndex - 1) * pageSize;
      if (bad.some((at) => at >= start && at < start + pageSize)) throw failure;
      const indexes = Array.from({ length }, (_, at) => at).slice(start, start + pageSize);
      return { rows: indexes.map((at) => row({ sessionId: String(at) })), total: length, pageIndex, pageSize };
    },
  };
}

async function read(list: ReturnType<typeof listOf>, pageIndex: number) {
  let unreadable = 0;
  const page = await readPage(list.load, pageIndex, 100, () => (unreadable += 1));
  return { ids: page.rows.map(({ sessionId }) => Number(sessionId)), page, unreadable };
}

describe("readPage() of a page with rows that violate the contract", () => {
  it("returns the other rows in order", async () => {
    const list = listOf(250, [107, 193]);
    const { ids, page, unreadable } = await read(list, 2);
    const others = Array.from({ length: 100 }, (_, at) => 100 + at).filter((at) => at !== 107 && at !== 193);
    expect(ids).toEqual(others);
    expect(page).toMatchObject({ total: 250, pageIndex: 2, pageSize: 100 });
    expect(unreadable).toBe(2);
    expect(list.requests.length).toBe(1 + 10 + 2 * 10);
  });

  it("returns the other rows of the last page", async () => {
    const { ids, unreadable } = await read(listOf(205, [203]), 3);
    expect(ids).toEqual([200, 201, 202, 204]);
    expect(unreadable).toBe(1);
  });

  it("needs one request if the violation is on another page", async () => {
    const list = listOf(250, [50]);
    await read(list, 2);
    expect(list.requests).toEqual([[2, 100]]);
  });
});

describe("readPage() rejects", () => {
  it("after twelve requests if all rows are unreadable", async () => {
    const list = listOf(
      300,
      Array.from({ length: 300 }, (_, at) => at),
    );
    let unreadable = 0;
    const page = readPage(list.load, 2, 100, () => (unreadable += 1));
    await expect(page).rejects.toMatchObject({ code: "UPSTREAM_CONTRACT" });
    expect(list.requests.length).toBe(12);
    expect(unreadable).toBe(0);
  });

  it("at once if the service is unavailable", async () => {
    const list = listOf(300, [150], new CodedError("UPSTREAM_UNAVAILABLE", "away"));
    await expect(read(list, 2)).rejects.toMatchObject({ code: "UPSTREAM_UNAVAILABLE" });
    expect(list.requests.length).toBe(1);
  });
});
