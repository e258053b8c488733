// Made-up names, texts and phone numbers. Every number is in a range that is never assigned.
import type { Extra, Language } from "./model.ts";
import type { Random } from "../random.ts";

const SURNAMES = ["王", "李", "张", "刘", "陈", "杨", "赵", "黄", "周", "吴", "徐", "孙"];
const GIVEN = ["伟", "芳", "娜", "敏", "静", "丽", "强", "磊", "洋", "艳", "勇", "杰", "秀英", "明", "霞", "平"];
const FIRST = ["Alice", "Ben", "Carol", "David", "Emma", "Frank", "Grace", "Henry", "Iris", "Jack", "Kate", "Liam"];
const LAST = ["Baker", "Carter", "Dixon", "Evans", "Foster", "Green", "Hill", "Jones", "King", "Lewis", "Moore"];
const SALES = ["陈经理", "林经理", "周顾问", "何顾问"];
const AGENTS = ["Team North", "Team South", "Team West"];

const TASKS: Record<"zh" | "en", readonly string[]> = {
  zh: [
    "会员续费提醒",
    "满意度回访",
    "课程试听邀约",
    "体检预约确认",
    "物流派送通知",
    "账单到期提醒",
    "活动邀请",
    "老客户关怀",
  ],
  en: [
    "Renewal reminder",
    "Satisfaction survey",
    "Appointment confirmation",
    "Delivery notice",
    "Payment reminder",
    "Webinar invitation",
    "Win-back round",
    "Service follow-up",
  ],
};

const AREAS = ["202", "303", "404", "505", "606", "707", "808", "909"];

/**
 * +86 100 0000 xxxx (Chinese mobile numbers start with 13 to 19), +1 xxx 555 01xx and +44 7700 900xxx (both reserved for
 * fiction).
 */
export function phoneNumber(random: Random, language: Language): string {
  if (language !== "en") return `1000000${digits(random, 4)}`;
  return random.chance(0.5) ? `+1${random.pick(AREAS)}55501${digits(random, 2)}` : `+447700900${digits(random, 3)}`;
}

/** The `caller` of an outbound call: a label for some lines, a number for others. */
export function lineLabel(line: bigint): string {
  return line % 2n === 0n
    ? `A${line.toString().padStart(3, "0")}`
    : `1000000${(line % 10_000n).toString().padStart(4, "0")}`;
}

export function personExtra(random: Random, language: Language): Extra {
  if (language === "en") return { name: `${random.pick(FIRST)} ${random.pick(LAST)}`, agent: random.pick(AGENTS) };
  const 姓名 = random.pick(SURNAMES) + random.pick(GIVEN);
  return { 姓名, 性别: random.pick(["男", "女"]), 销售姓名: random.pick(SALES) };
}

export function taskName(random: Random, language: "zh" | "en", date: string): string {
  const name = random.pick(TASKS[language]);
  const [, month = "", day = ""] = date.split("-");
  return language === "zh" ? `${Number(month)}月${Number(day)}日${name}` : `${name} ${date}`;
}

export function taskSummary(language: Language, share: number): { summary: string; suggestion: string } {
  const percent = Math.floor(share);
  if (language === "en") {
    return {
      summary: `${percent}% of the numbers gave all the answers asked for.`,
      suggestion: percent < 50 ? "Call again in the evening." : "Keep the opening line as it is.",
    };
  }
  return {
    summary: `共有${percent}%的客户完成了全部问题。`,
    suggestion: percent < 50 ? "建议在晚间时段再次拨打。" : "建议保持当前开场白。",
  };
}

function digits(random: Random, length: number): string {
  return Array.from({ length }, () => random.int(0, 9)).join("");
}
