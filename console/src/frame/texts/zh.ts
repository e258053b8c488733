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
  filter: "转到筛选",
  pause: "暂停或继续",
  page: "下一页，上一页",
  readAgain: "重新读取列表",
  play: "播放或暂停录音",
  seek: "录音后退或前进 5 秒",
};
