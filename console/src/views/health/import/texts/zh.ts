import type { en } from "./en.ts";

export const zh: typeof en = {
  title: "历史通话",
  hint: "网关安装之前结束的通话可以从外呼服务的列表中读取。实时页面不会把它们当作新通话显示。",
  suggestion: "网关没有安装之前的通话。可在此导入，或运行：switchboard import --since 2026-10-01",
  failed: "无法读取导入状态。",
  since: "起始时间",
  lastDays: (n) => `最近 ${n} 天`,
  start: "导入",
  cancel: "取消导入",
  progress: "导入进度",
  states: { RUNNING: "进行中。", DONE: "已完成。", CANCELLED: "已取消。", FAILED: "失败。" },
  calls: (n) => `已添加 ${n} 通通话`,
  windows: (n) => `已读取 ${n} 个时间段`,
  left: (time) => `剩余 ${time}`,
  tooOld: (n) => `${n} 通通话早于网关的保留期限`,
  leftOut: (n) => `${n} 行未导入：没有会话 ID，或结束时间无法读取`,
  waits: "等待中",
  reason: "原因",
};
