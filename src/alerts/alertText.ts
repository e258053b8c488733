// What an alert says, in words that stand alone in a message.
import type { Alert } from "../store/alerts/alertRows.ts";
import type { usedLimits, WindowRule } from "./alertFile.ts";
import type { Ending } from "./callWindow.ts";
import { destinationNameOf, destinationOverTexts, destinationTexts } from "./destinationAlertText.ts";

export const alertLanguages = ["en", "zh"] as const;
export type AlertLanguage = (typeof alertLanguages)[number];

/** SHARE: from 0 to 1. COUNT: a number of recordings or people. MINUTES: without a call, or without anything that a destination took. */
export const alertUnits = ["SHARE", "COUNT", "MINUTES"] as const;
export type AlertUnit = (typeof alertUnits)[number];

type Told = Pick<Alert, "kind" | "subject" | "value" | "threshold" | "calls" | "detail">;

interface Detail {
  window?: WindowRule["window"];
  reasons?: string[];
  /** Null, as in alerts of before: the value and the threshold are shares. */
  unit?: AlertUnit;
  /** What a key has used of a limit, and when it is free again. */
  limit?: (typeof usedLimits)[number];
  size?: number;
  used?: number;
  freeAt?: string;
  /** The people of a task, and how many of them may be left: the value is how many are. `isStopped`: the service has ended the task. */
  total?: number;
  most?: number;
  isStopped?: boolean;
  /** Those of which no call ended, where they are watched together. */
  tasks?: string[];
}

interface Facts {
  value: string;
  threshold: string;
  calls: number;
  minutes: number | undefined;
  reasons: string;
  of: string;
  id: string;
  limit: Required<Pick<Detail, "limit" | "size" | "used" | "freeAt">>;
  total: number;
  isExact: boolean;
  isStopped: boolean;
  tasks: string[];
}

const limitWords = {
  en: {
    tasksPerHour: "tasks in an hour",
    tasksPerDay: "tasks in a day",
    numbersPerHour: "numbers in an hour",
    numbersPerDay: "numbers in a day",
  },
  zh: {
    tasksPerHour: "每小时任务数",
    tasksPerDay: "每天任务数",
    numbersPerHour: "每小时号码数",
    numbersPerDay: "每天号码数",
  },
} as const;

const texts: Record<AlertLanguage, (kind: string, facts: Facts) => string> = {
  en(kind, facts) {
    const { value, threshold, calls, minutes, reasons, of, id, total, isExact, isStopped, tasks } = facts;
    const { limit, used, size, freeAt } = facts.limit;
    if (kind === "keyLimit")
      return `The key ${id} has used ${used} of its ${size} ${limitWords.en[limit]} (${value}, the limit is ${threshold}). All are free again at ${freeAt}.`;
    if (kind === "noCalls" && of !== "task")
      return `No call of the tasks ${first(tasks, ", ", (more) => ` and ${more} more`)}${of === "all" ? "" : ` of assistant ${id}`} has ended for ${value} minutes, although one of them runs and is in its hours.`;
    if (kind === "noCalls")
      return `No call of task ${id} has ended for ${value} minutes, although it runs and is in its hours.`;
    if (kind === "peopleLeft")
      return `${isStopped ? `The service has stopped task ${id}` : `The hours of task ${id} are over`}, and ${isExact ? "" : "at least "}${value} of its ${total} people ${value === "1" ? "is" : "are"} still to be called.`;
    const subject = of === "all" ? "all outbound calls" : `${of} ${id}`;
    const what = kind === "recordingsLost" ? "recordings" : "calls";
    const window =
      minutes === undefined ? `the last ${calls} ${what}` : `the ${calls} ${what} of the last ${minutes} minutes`;
    if (kind === "recordingsLost")
      return `Of the recordings of ${subject}, ${value} could not be stored, the limit is ${threshold}: ${window}.`;
    return kind === "answerRate"
      ? `The answer rate of ${subject} is ${value}, below ${threshold}: ${window}.`
      : `Of the calls of ${subject}, ${value} ended with ${reasons}, above ${threshold}: ${window}.`;
  },
  zh(kind, facts) {
    const { value, threshold, calls, minutes, reasons, of, id, total, isExact, isStopped, tasks } = facts;
    const { limit, used, size, freeAt } = facts.limit;
    if (kind === "keyLimit")
      return `密钥 ${id} 的${limitWords.zh[limit]}已使用 ${used}/${size}（${value}，限值为 ${threshold}），${freeAt} 恢复。`;
    if (kind === "noCalls" && of !== "task")
      return `${of === "all" ? "" : `助手 ${id} 的`}任务 ${first(tasks, "、", (more) => ` 等另外 ${more} 个任务`)} 已有 ${value} 分钟没有通话结束，但其中有任务正在运行且处于外呼时段。`;
    if (kind === "noCalls") return `任务 ${id} 正在运行且处于外呼时段，但已有 ${value} 分钟没有通话结束。`;
    if (kind === "peopleLeft")
      return `${isStopped ? `服务已停止任务 ${id}` : `任务 ${id} 的外呼时段已结束`}，${total} 人中${isExact ? "" : "至少"}还有 ${value} 人待呼叫。`;
    const subject = of === "all" ? "全部外呼" : of === "task" ? `任务 ${id} ` : `助手 ${id} `;
    const each = kind === "recordingsLost" ? "条录音" : "通";
    const window = minutes === undefined ? `最近 ${calls} ${each}` : `最近 ${minutes} 分钟的 ${calls} ${each}`;
    if (kind === "recordingsLost") return `${subject}的录音中 ${value} 未能保存，限值为 ${threshold}（${window}）。`;
    return kind === "answerRate"
      ? `${subject}的接通率为 ${value}，低于 ${threshold}（${window}）。`
      : `${subject}的通话中 ${value} 以 ${reasons} 结束，高于 ${threshold}（${window}）。`;
  },
};

const MAX_NAMED = 5;
/** The first of them, and how many more there are. */
const first = (ids: readonly string[], between: string, more: (count: number) => string): string =>
  ids.slice(0, MAX_NAMED).join(between) + (ids.length > MAX_NAMED ? more(ids.length - MAX_NAMED) : "");

const detailOf = ({ detail }: Pick<Alert, "detail">) => JSON.parse(detail) as Detail;

/** The unit of `value` and `threshold`. */
export const unitOf = (alert: Pick<Alert, "detail">): AlertUnit => detailOf(alert).unit ?? "SHARE";

/** The name of the key that an alert is about. */
export const keyNameOf = ({ subject }: Pick<Alert, "subject">): string | null =>
  subject.startsWith("key ") ? subject.split(" ").slice(2).join(" ") : null;

/** `hide`: how the name of a key is shown, which may hold a phone number. */
export function alertText(alert: Told, language: AlertLanguage, hide: (name: string) => string): string {
  const { kind, subject, value, threshold, calls } = alert;
  const destination = destinationNameOf(alert);
  if (destination !== null) return destinationTexts[language](destination, value, JSON.parse(alert.detail));
  const { window, reasons = [], limit = "tasksPerHour", size = 0, used = 0, freeAt = "", ...more } = detailOf(alert);
  const [of = "", second = ""] = subject.split(" ");
  const key = keyNameOf(alert);
  const id = key === null ? second : hide(key);
  const until = `${freeAt.slice(0, 16).replace("T", " ")} UTC`;
  const people = {
    total: more.total ?? 0,
    isExact: more.most === value,
    isStopped: more.isStopped ?? false,
    tasks: more.tasks ?? [],
  };
  const words = { reasons: reasons.join(" / "), of, id, limit: { limit, size, used, freeAt: until }, ...people };
  const show = unitOf(alert) === "SHARE" ? percent : String;
  const facts = { ...words, calls, minutes: window?.minutes, value: show(value), threshold: show(threshold) };
  return texts[language](kind, facts);
}

/** What stands before the text where an alert is over: only a good window is a recovery. */
export const overTexts: Record<AlertLanguage, Record<Ending, string>> = {
  en: {
    RECOVERED: "Recovered:",
    NO_CALLS: "Closed, because no call came for a day:",
    RULE_CHANGED: "Closed, because its rule no longer applies:",
    PERIOD_OVER: "Closed, because the hour or day of the limit is over:",
    NOT_RUNNING: "Closed, because the task has stopped or its hours are over:",
  },
  zh: {
    RECOVERED: "已恢复：",
    NO_CALLS: "已关闭（一天内没有通话）：",
    RULE_CHANGED: "已关闭（规则不再适用）：",
    PERIOD_OVER: "已关闭（限额的小时或当天已结束）：",
    NOT_RUNNING: "已关闭（任务已停止，或外呼时段已结束）：",
  },
};

/** What an end says of alerts of one kind. */
const overTextsOf: Partial<Record<string, Partial<Record<Ending, Record<AlertLanguage, string>>>>> = {
  destinationFails: destinationOverTexts,
  recordingsLost: {
    NO_CALLS: {
      en: "Closed, because no recording was stored or lost for a day:",
      zh: "已关闭（一天内没有录音被保存或丢失）：",
    },
  },
  peopleLeft: {
    RECOVERED: { en: "No longer so:", zh: "已不再如此：" },
    PERIOD_OVER: {
      en: "Closed, because the task may call again, its next hours are over, or three days have passed:",
      zh: "已关闭（任务可再次外呼、其下一外呼时段已结束，或已过三天）：",
    },
    NOT_RUNNING: {
      en: "Closed, because the task was stopped, or does not exist any more:",
      zh: "已关闭（任务已被停止，或已不存在）：",
    },
  },
};

export function overText({ ending, kind }: Pick<Alert, "ending" | "kind">, language: AlertLanguage): string {
  const known = ending as Ending;
  return overTextsOf[kind]?.[known]?.[language] ?? overTexts[language][known] ?? overTexts[language].RULE_CHANGED;
}

/** A value just below a limit is not shown as the limit. */
const percent = (share: number) => `${Math.floor(share * 1000 + ROUNDING) / 10} %`;
/** What 0.57 * 1000 lacks of 570. */
const ROUNDING = 1e-9;
