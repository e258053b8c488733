import type { en } from "./en.ts";

export const zh: typeof en = {
  starting: "正在读取第一页",
  written: (n) => `已写入 ${n} 行`,
  writtenOf: (n, total) => `已写入 ${n} 行，共 ${total} 行`,
  cancel: "取消导出",
  cancelled: "已取消导出，没有写入文件。",
  notStarted: "导出未能开始。",
  stopped: (n) => `导出在写入 ${n} 行后停止。`,
  stoppedOf: (n, total) => `导出在写入 ${n} 行后停止，共 ${total} 行。`,
  notWritten: "文件无法写入。请检查磁盘空间后重新导出。",
  goOn: "从此处继续",
  keepRows: (n) => `保留这 ${n} 行`,
  discard: "放弃",
  saved: (n, file) => `已将 ${n} 行导出到 ${file}。`,
  savedPart: "文件不完整。",
  savedPartOf: (total) => `文件不完整：列表共有 ${total} 行。`,
  savedDrifted: "读取期间列表发生了变化，可能有行缺失或重复。请重新导出以获得准确的文件。",
  savedOther: (total) => `结束时列表共有 ${total} 行。请重新导出以获得一致的列表。`,
};
