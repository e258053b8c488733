import { describe, expect, it } from "vitest";
import { createTaskPages } from "../../console/src/views/tasks/list/taskPages.ts";

const { signal } = new AbortController();
const idsOf = (tasks: readonly { taskId: string }[]) => tasks.map(({ taskId }) => taskId);

/** A list in pages of two, the last active task first. A cursor is how active the last task of a page was, as in the graph. */
function taskList(...ids: string[]) {
  let clock = ids.length;
  const activeAt = new Map(ids.map((id, at) => [id, ids.length - at]));
  const reads: (string | null)[] = [];
  return {
    reads,
    becomeActive: (id: string) => void activeAt.set(id, (clock += 1)),
    read: async (after: string | null) => {
      reads.push(after);
      const sorted = [...activeAt].toSorted(([, a], [, b]) => b - a);
      const rest = sorted.filter(([, at]) => after === null || at < Number(after));
      const endCursor = rest[1] === undefined ? null : String(rest[1][1]);
      const nodes = rest.slice(0, 2).map(([taskId]) => (taskId === "gone" ? null : { taskId }));
      return { nodes, pageInfo: { endCursor, hasNextPage: rest.length > 2 } };
    },
  };
}

async function readAll(list: ReturnType<typeof taskList>, betweenPages: (page: number) => void) {
  const ask = createTaskPages(list.read);
  const found: string[] = [];
  for (let after: string | null = null, page = 1; ; page += 1) {
    const { nodes, pageInfo, driftDetected } = await ask(after, signal);
    found.push(...idsOf(nodes));
    if (!pageInfo.hasNextPage) return { found, driftDetected };
    after = pageInfo.endCursor;
    betweenPages(page);
  }
}

describe("The pages of an export of tasks", () => {
  it("have a task that becomes active while they are read, and each task once", async () => {
    const list = taskList("a", "b", "c", "gone", "e", "f");
    const { found, driftDetected } = await readAll(list, (page) => {
      if (page === 1) for (const id of ["b", "f"]) list.becomeActive(id);
    });
    expect([found.toSorted(), driftDetected]).toEqual([["a", "b", "c", "e", "f"], false]);
  });

  it("have a task that moved below others that moved after it", async () => {
    const list = taskList("a", "b", "c", "d", "e", "f");
    const { found } = await readAll(list, (page) => {
      if (page === 1) list.becomeActive("e");
      if (page === 2) for (const id of ["a", "b", "c", "d"]) list.becomeActive(id);
    });
    expect(found.toSorted()).toEqual(["a", "b", "c", "d", "e", "f"]);
  });

  it("of one page are read once", async () => {
    const list = taskList("a", "b");
    expect(await readAll(list, () => undefined)).toEqual({ found: ["a", "b"], driftDetected: false });
    expect(list.reads).toEqual([null]);
  });

  it("can be asked for again where the first page could not be read at the end", async () => {
    const list = taskList("a", "b", "c");
    let fails = true;
    const ask = createTaskPages(async (after) => {
      if (after === null && list.reads.length > 1 && fails) throw new Error("busy");
      return list.read(after);
    });
    const { pageInfo } = await ask(null, signal);
    await expect(ask(pageInfo.endCursor, signal)).rejects.toThrow("busy");
    fails = false;
    expect(idsOf((await ask(pageInfo.endCursor, signal)).nodes)).toEqual(["c"]);
  });

  it("tell that the list moves faster than it can be read", async () => {
    const list = taskList("a", "b", "c");
    let next = 0;
    const ask = createTaskPages(async (after) => {
      list.becomeActive(`new ${(next += 1)}`);
      return list.read(after);
    });
    const { pageInfo } = await ask(null, signal);
    const last = await ask(pageInfo.endCursor, signal);
    expect(last.driftDetected).toBe(true);
  });
});
