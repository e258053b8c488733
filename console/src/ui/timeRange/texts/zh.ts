import type { Widened } from "../../../texts/widened.ts";
import type { en } from "./en.ts";

export const zh: Widened<typeof en> = {
  title: "时间范围",
  all: "全部时间",
  "1h": "最近一小时",
  "24h": "最近 24 小时",
  today: "今天",
  yesterday: "昨天",
  "7d": "最近 7 天",
  "30d": "最近 30 天",
  custom: "自定义",
  from: "开始",
  to: "结束",
  now: "现在",
  untilNow: "留空则持续到现在。",
  apply: "应用",
  missing: "请输入开始时间。",
  inverted: "结束时间必须晚于开始时间。",
  yours: "您的时区",
  service: "外呼服务",
  both: "您与外呼服务的时区",
};
