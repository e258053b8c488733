// The assistants of every sandbox, and how a new version of one is created.
import type { Assistant, AssistantVersion, Language } from "./model.ts";
import type { Random } from "../random.ts";
import { createRandom } from "../random.ts";
import { DAY_MS } from "../clock.ts";

interface AssistantTemplate {
  name: string;
  scene: string;
  language: Language;
  versions: number;
  /** Whether it takes inbound calls. */
  inbound: boolean;
  welcome: string;
  prompt: string;
  questions: { question?: string; answers: string[] }[];
}

const TEMPLATES: readonly AssistantTemplate[] = [
  {
    name: "续费小助手",
    scene: "renewal",
    language: "zh",
    versions: 4,
    inbound: false,
    welcome: "您好，这里是会员中心，请问现在方便说话吗？",
    prompt: "你是会员中心的客服。确认客户是否续费，语气礼貌，不超过三个问题。",
    questions: [
      { question: "是否续费？", answers: ["是", "否", "再考虑"] },
      { question: "方便的联系时间？", answers: [] },
    ],
  },
  {
    name: "满意度回访",
    scene: "survey",
    language: "zh",
    versions: 3,
    inbound: false,
    welcome: "您好，耽误您一分钟，做个简单的满意度回访。",
    prompt: "请客户用一到五分评价服务，并询问原因。",
    questions: [{ question: "请用一到五分评价我们的服务。", answers: ["1", "2", "3", "4", "5"] }],
  },
  {
    name: "前台客服",
    scene: "reception",
    language: "zh",
    versions: 2,
    inbound: true,
    welcome: "您好，欢迎致电，请问有什么可以帮您？",
    prompt: "你是前台。了解来电目的，记录姓名和需求。",
    questions: [],
  },
  {
    name: "Appointment Desk",
    scene: "appointment",
    language: "en",
    versions: 3,
    inbound: false,
    welcome: "Hello, this is the appointment desk. Do you have a minute?",
    prompt: "Confirm the appointment. Offer two other dates when it does not suit. Be brief.",
    questions: [{ question: "Does the appointment suit you?", answers: ["yes", "no"] }, { answers: [] }],
  },
  {
    name: "Front Desk",
    scene: "reception",
    language: "en",
    versions: 2,
    inbound: true,
    welcome: "Hello, how can I help you?",
    prompt: "Find out why the caller rings and take a message.",
    questions: [],
  },
  {
    name: "予約確認",
    scene: "appointment",
    language: "jp",
    versions: 1,
    inbound: false,
    welcome: "お世話になっております。ご予約の確認でお電話いたしました。",
    prompt: "予約の日時を確認してください。",
    questions: [{ question: "ご予約の日時でよろしいですか。", answers: ["はい", "いいえ"] }],
  },
];

const FIRST_ASSISTANT = 11;
const FIRST_VERSION = 301;

/** Ids are the same in every sandbox: assistants 11 to 16, versions from 301. */
export function createAssistants(seed: number, now: number): { all: Assistant[]; inbound: Assistant[] } {
  let vid = FIRST_VERSION;
  const all = TEMPLATES.map((part, index): Assistant => {
    const random = createRandom(seed, "assistant", part.name);
    const createdAt = now - random.int(40, 200) * DAY_MS;
    return {
      id: BigInt(FIRST_ASSISTANT + index),
      projectId: 7 + (index % 2),
      name: part.name,
      scene: part.scene,
      creatorId: 500 + (index % 3),
      creatorEmail: `operator${(index % 3) + 1}@sandbox.invalid`,
      createdAt,
      updatedAt: createdAt + random.int(1, 30) * DAY_MS,
      usageCount: random.int(3, 60),
      versions: Array.from({ length: part.versions }, (_, at) => createVersion(part, BigInt(vid++), at, random)),
    };
  });
  return { all, inbound: all.filter((_, index) => TEMPLATES[index]?.inbound) };
}

/** The next version of an assistant: the newest one with overrides (service.md 4.3), and its own secret. */
export function overriddenVersion(
  base: AssistantVersion,
  overrides: Partial<Pick<AssistantVersion, "welcome" | "prompt" | "language" | "speakerId">>,
  vid: bigint,
  random: Random,
): AssistantVersion {
  return { ...base, ...overrides, vid, ...createWebsocket(vid, random) };
}

function createVersion(part: AssistantTemplate, vid: bigint, at: number, random: Random): AssistantVersion {
  return {
    vid,
    welcome: part.welcome,
    prompt: at === 0 ? part.prompt : `${part.prompt} (v${at + 1})`,
    language: part.language,
    speakerId: BigInt(random.int(1, 12)),
    listenerId: random.int(1, 4),
    collect: part.questions,
    knowledge: part.language === "en" ? "Opening hours: 9 to 18." : "营业时间：九点到十八点。",
    ...createWebsocket(vid, random),
  };
}

/** The address contains the token too, so the address is a secret as well. */
function createWebsocket(vid: bigint, random: Random): { websocketUrl: string; websocketToken: string } {
  const websocketToken = `wst_secret_${random.hex(40)}`;
  return { websocketToken, websocketUrl: `wss://voice.sandbox.invalid/v/${vid}?token=${websocketToken}` };
}
