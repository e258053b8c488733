// What services make of taskId, and of several.
import { json } from "../service.ts";
import type { OddService } from "../stand.ts";

const first = <T>(list: readonly T[]) => list.slice(0, 1);

export const taskFilters: readonly OddService[] = [
  {
    name: "takes only the first of several taskIds",
    oddity: { hears: (asked) => ({ ...asked, taskIds: first(asked.taskIds) }) },
    touches: ["severalTasks"],
  },
  {
    name: "takes only the last of several taskIds",
    oddity: { hears: (asked) => ({ ...asked, taskIds: asked.taskIds.slice(-1) }) },
    touches: ["severalTasks"],
  },
  {
    name: "takes only the first three of several taskIds",
    oddity: { hears: (asked) => ({ ...asked, taskIds: asked.taskIds.slice(0, 3) }) },
    touches: ["severalTasks"],
  },
  { name: "ignores taskId", oddity: { hears: (asked) => ({ ...asked, taskIds: [] }) }, touches: ["taskIds"] },
  {
    name: "ignores taskId where there are several",
    oddity: { hears: (asked) => (asked.taskIds.length > 1 ? { ...asked, taskIds: [] } : asked) },
    touches: ["severalTasks"],
  },
  {
    name: "finds no calls of several taskIds",
    oddity: { hears: (asked) => (asked.taskIds.length > 1 ? { ...asked, taskIds: ["0"] } : asked) },
    touches: ["severalTasks"],
  },
  {
    name: "takes taskId=1,2 for 12",
    oddity: { hears: (asked) => (asked.taskIds.length > 1 ? { ...asked, taskIds: [asked.taskIds.join("")] } : asked) },
    touches: ["severalTasks"],
  },
  {
    name: "compares taskId by its beginning",
    oddity: {
      hears: (asked) => ({ ...asked, taskIds: [] }),
      keeps: ({ taskId }, { taskIds }) =>
        taskIds.length === 0 || taskIds.some((id) => taskId !== null && taskId.startsWith(id)),
    },
    touches: ["taskIds"],
  },
  {
    name: "refuses several taskIds",
    oddity: { lists: ({ asked, body }) => (asked.taskIds.length > 1 ? json({ msg: "taskId" }, 400) : body) },
    touches: ["severalTasks"],
  },
  {
    name: "fails with 500 for several taskIds",
    oddity: { lists: ({ asked, body }) => (asked.taskIds.length > 1 ? json({ msg: "strconv" }, 500) : body) },
    touches: ["severalTasks"],
  },
  {
    name: "shows inbound calls with every task",
    oddity: {
      hears: (asked) => ({ ...asked, taskIds: [] }),
      keeps: ({ taskId }, { taskIds }) => taskIds.length === 0 || taskId === null || taskIds.includes(taskId),
    },
    touches: ["taskIds"],
  },
];
