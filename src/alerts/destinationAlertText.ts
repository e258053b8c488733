// What alerts about destinations say.
import type { DisabledReason } from "../store/destinations/destinationStore.ts";
import type { Ending } from "./callWindow.ts";

interface DestinationDetail {
  /** The HTTP status of the last attempt. Null: it had none. */
  status: number | null;
  /** Why it was disabled. Undefined: it was not. */
  disabledFor?: DisabledReason;
}

type Texts<Value> = Record<"en" | "zh", Value>;

/** The name of the destination that an alert is about. Null: it is about calls, or a key. */
export const destinationNameOf = ({ subject }: { subject: string }): string | null =>
  subject.startsWith("destination ") ? (subject.split(" ")[1] ?? null) : null;

const minutes = (count: number) => (count === 1 ? "1 minute" : `${count} minutes`);

export const destinationTexts: Texts<(name: string, value: number, detail: DestinationDetail) => string> = {
  en(name, value, { status, disabledFor }) {
    const held = "Nothing is sent to it until somebody resumes it; what it has not taken waits.";
    if (disabledFor === "GONE") return `The destination ${name} answered 410 (gone) and was disabled. ${held}`;
    if (disabledFor) return `The destination ${name} took nothing for three days and was disabled. ${held}`;
    const last = status === null ? "" : `, and answered ${status} last`;
    return `The destination ${name} has taken nothing for ${minutes(value)}, although something was sent to it${last}.`;
  },
  zh(name, value, { status, disabledFor }) {
    const held = "在有人让其继续之前，不会再向其发送；未接收的内容在等待。";
    if (disabledFor === "GONE") return `目标 ${name} 返回了 410，已停用。${held}`;
    if (disabledFor) return `目标 ${name} 三天未接收任何内容，已停用。${held}`;
    const last = status === null ? "" : `（最近的响应为 ${status}）`;
    return `目标 ${name} 已有 ${value} 分钟未接收任何内容，尽管一直有内容发送给它${last}。`;
  },
};

/** What an end says. */
export const destinationOverTexts: Partial<Record<Ending, Texts<string>>> = {
  RECOVERED: { en: "It takes what is sent again:", zh: "已恢复接收：" },
  NOT_RUNNING: {
    en: "Closed, because the destination was paused, switched off, disabled or resumed:",
    zh: "已关闭（目标已暂停、关闭、停用或继续）：",
  },
  RULE_CHANGED: {
    en: "Closed, because its rule changed, or the rule or the destination is no longer in its file:",
    zh: "已关闭（规则已更改，或规则或目标已不在文件中）：",
  },
};
