import type { en } from "./en.ts";

export const zh: typeof en = {
  title: "未结束的警报",
  titleOf: (name) => `${name} 的未结束警报`,
  count: (n) => `${n} 条警报`,
  task: (id) => `任务 ${id}`,
  destination: (name) => `目标 ${name}`,
  acknowledge: "我已处理",
  seen: (name) => `${name} 已处理，`,
  failed: "警报无法读取",
  more: (n) => `仅显示最新的 ${n} 条。`,
  notDone: "操作未完成。",
};
