import type { Widened } from "../../texts/widened.ts";
import type { en } from "./en.ts";

export const zh: Widened<typeof en> = {
  enabled: "启用单键快捷键",
  help: "显示此列表",
  next: "下一行（详情打开时切换到该行）",
  previous: "上一行（详情打开时切换到该行）",
  ends: "第一行，最后一行",
  openRow: "打开该行",
  closeDrawer: "关闭详情",
  commands: "前往视图、号码、通话或任务",
  jump: (view) => `前往${view}`,
  commandHint: "视图、电话号码、会话 ID 或任务",
  findNumber: (phone) => `查找 ${phone} 的通话`,
  openSession: (id) => `打开会话 ID 为 ${id} 的通话`,
  openTask: (name) => `打开任务 ${name}`,
  filter: "转到筛选",
  pause: "暂停或继续",
  page: "下一页，上一页",
  readAgain: "重新读取列表",
  play: "播放或暂停录音",
  seek: "录音后退或前进 5 秒",
};
