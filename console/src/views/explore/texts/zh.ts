import type { en } from "./en.ts";

export const zh: typeof en = {
  frame: "GraphiQL，使用此标签页的密钥",
  open: "单独打开",
  introspectionOff: "此网关已关闭内省查询。",
  introspectionOffHint: "GraphiQL 通过内省读取图的类型。运维人员可用 INTROSPECTION=on 打开。",
  trustedOnly: "此网关只执行受信任的文档。",
  trustedOnlyHint:
    "GraphiQL 会发送自己的文档，TRUSTED_DOCUMENTS 会拒绝它们。请在没有此设置的网关上探索，例如带沙箱的网关。",
  failed: "无法得知此网关是否提供 GraphiQL。",
};
