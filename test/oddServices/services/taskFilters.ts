// Services that read taskId, or several of them, in their own way.
import { json } from "../service.ts";
import type { OddService } from "../examine.ts";

const first = <T>(list: readonly T[]) => list.slice(0, 1);

export const taskFilters: readonly OddService[] = [
  {
    name: "takes only the first of several taskIds",
    oddity: { readQuery: (asked) => ({ ...asked, taskIds: first(asked.taskIds) }) },
    affects: ["severalTasks"],
  },
  {
    name: "takes only the last of several taskIds",
    oddity: { readQuery: (asked) => ({ ...asked, taskIds: asked.taskIds.slice(-1) }) },
    affects: ["severalTasks"],
  },
  {
    name: "takes only the first three of several taskIds",
    oddity: { readQuery: (asked) => ({ ...asked, taskIds: asked.taskIds.slice(0, 3) }) },
    affects: ["severalTasks"],
  },
  { name: "ignores taskId", oddity: { readQuery: (asked) => ({ ...asked, taskIds: [] }) }, affects: ["taskIds"] },
  {
    name: "ignores taskId where there are several",
    oddity: { readQuery: (asked) => (asked.taskIds.length > 1 ? { ...asked, taskIds: [] } : asked) },
    affects: ["severalTasks"],
  },
  {
    name: "finds no calls of several taskIds",
    oddity: { readQuery: (asked) => (asked.taskIds.length > 1 ? { ...asked, taskIds: ["0"] } : asked) },
    affects: ["severalTasks"],
  },
  {
    name: "takes taskId=1,2 for 12",
    oddity: {
      readQuery: (asked) => (asked.taskIds.length > 1 ? { ...asked, taskIds: [asked.taskIds.join("")] } : asked),
    },
    affects: ["severalTasks"],
  },
  {
    name: "compares taskId by its beginning",
    oddity: {
      readQuery: (asked) => ({ ...asked, taskIds: [] }),
      filter: ({ taskId }, { taskIds }) =>
        taskIds.length === 0 || taskIds.some((id) => taskId !== null && taskId.startsWith(id)),
    },
    affects: ["taskIds"],
  },
  {
    name: "refuses several taskIds",
    oddity: { writeList: ({ query: asked, body }) => (asked.taskIds.length > 1 ? json({ msg: "taskId" }, 400) : body) },
    affects: ["severalTasks"],
  },
  {
    name: "fails with 500 for several taskIds",
    oddity: {
      writeList: ({ query: asked, body }) => (asked.taskIds.length > 1 ? json({ msg: "strconv" }, 500) : body),
    },
    affects: ["severalTasks"],
  },
  {
    name: "shows inbound calls with every task",
    oddity: {
      readQuery: (asked) => ({ ...asked, taskIds: [] }),
      filter: ({ taskId }, { taskIds }) => taskIds.length === 0 || taskId === null || taskIds.includes(taskId),
    },
    affects: ["taskIds"],
  },
];
