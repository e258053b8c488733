// Creates a world: tasks, and the calls of some days. The service shows it more or less well, and the oracle knows it exactly. It
// is written from service.md alone.

export interface Assistant {
  id: string;
  vid: string;
}

export interface Call {
  sessionId: string | null;
  /** Null: an inbound call. */
  taskId: string | null;
  taskItemId: string | null;
  direction: "inbound" | "outbound" | null;
  caller: string;
  callee: string;
  /** Epoch milliseconds, whole seconds. */
  startAt: number;
  /** Null: not answered. */
  answerAt: number | null;
  /** Null: the call has not ended. */
  endAt: number | null;
  duration: number | null;
  billsec: number | null;
  recordFile: string;
  assistants: readonly Assistant[];
  kind: "phone" | "privateTest";
  ringTime: number | null;
  hangupSide: "caller" | "callee" | null;
  hangupReason: string | null;
  recordUrl: string | null;
  extra: Record<string, unknown> | null;
  /** The list shows it from this list request on, and before that one. */
  listedFrom: number;
  listedUntil: number;
}

export interface Task {
  id: string;
  name: string;
  status: string;
  createdAt: number;
  updatedAt: number;
  total: number;
  progress: number;
  collectionRate: number;
  assistant: Assistant;
}

export interface World {
  /** IANA zone of the service's wall clock. */
  zone: string;
  /** Epoch milliseconds; the clocks of service and gateway stand still. */
  now: number;
  tasks: readonly Task[];
  calls: readonly Call[];
}

export interface Random {
  /** From `min` to `max`, both included. */
  int(min: number, max: number): number;
  pick<T>(list: readonly T[]): T;
  chance(share: number): boolean;
}

/** A seeded generator (mulberry32): the same seed gives the same numbers. */
export function createRandom(seed: number): Random {
  let state = Math.imul(seed + 1, 0x9e3779b1) >>> 0;
  const next = () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  const int = (min: number, max: number) => min + Math.floor(next() * (max - min + 1));
  return {
    int,
    pick: <T>(list: readonly T[]) => list[int(0, list.length - 1)] as T,
    chance: (share) => next() < share,
  };
}

export const MINUTE = 60_000;
export const HOUR = 60 * MINUTE;
export const DAY = 24 * HOUR;

/** Some ids are prefixes of others, and two make a third one without their comma. */
const TASK_IDS = ["1", "2", "12", "112", "7"];
export const UNKNOWN_TASK = "404";
const ASSISTANTS: readonly Assistant[] = [
  { id: "3", vid: "31" },
  { id: "4", vid: "41" },
  { id: "34", vid: "341" },
  { id: "5", vid: "51" },
];
const LINES = ["A068", "4008001234", "+862161000000"];
/** With and without the country code; one number contains another. */
const PEOPLE = ["+8613800010001", "13800010002", "+8613900020003", "13700030004", "02155550005", "13800010002123"];
const REASONS = ["NORMAL_CLEARING", "USER_BUSY", "NO_ANSWER", null];

export interface WorldOptions {
  zone: string;
  now: number;
  calls: number;
  days: number;
}

export const usual: WorldOptions = {
  zone: "Asia/Shanghai",
  now: Date.parse("2026-11-20T09:30:00Z"),
  calls: 130,
  days: 4,
};

export function createWorld(seed: number, { zone, now, calls, days }: WorldOptions = usual): World {
  const random = createRandom(seed);
  const firstDay = now - days * DAY;
  const tasks = TASK_IDS.map((id, at): Task => {
    const assistant = ASSISTANTS[at % ASSISTANTS.length] as Assistant;
    const createdAt = firstDay - random.int(1, 30) * HOUR + random.int(0, 3599) * 1000;
    return {
      id,
      name: `Task ${id}`,
      status: random.pick(["pending", "running", "stop.operate", "stop.timeout", "stop.abnormal", "done"]),
      createdAt,
      updatedAt: createdAt + random.int(0, 3600) * 1000,
      total: random.int(0, 500),
      progress: random.int(0, 100),
      collectionRate: random.int(0, 100),
      assistant,
    };
  });
  // Several calls start in the same minute, and some in the same second.
  const starts = Array.from({ length: calls }, () => firstDay + random.int(0, days * 24 * 60 - 20) * MINUTE);
  return {
    zone,
    now,
    tasks,
    calls: starts.map((start, at) => createCall(random, tasks, random.chance(0.3) ? (starts[0] as number) : start, at)),
  };
}

function createCall(random: Random, tasks: readonly Task[], minute: number, at: number): Call {
  // Tasks have different numbers of calls, so that some lists fit on one page with others and some do not.
  const task = random.chance(0.15)
    ? null
    : (tasks[Math.min(random.int(0, 9), random.int(0, 9)) % tasks.length] as Task);
  const startAt = minute + (random.chance(0.3) ? 0 : random.int(0, 59) * 1000);
  const isAnswered = random.chance(0.6);
  const ringTime = random.int(1, 40);
  const billsec = isAnswered ? random.int(1, random.chance(0.05) ? 9000 : 600) : 0;
  const isOngoing = random.chance(0.05);
  const [line, person] = [random.pick(LINES), random.pick(PEOPLE)];
  const own = task ? [task.assistant] : [random.pick(ASSISTANTS)];
  return {
    sessionId: `s-${String((at * 7919) % 1000).padStart(3, "0")}-${at}`,
    taskId: task?.id ?? null,
    taskItemId: task ? String(1000 + at) : null,
    direction: task ? "outbound" : "inbound",
    caller: task ? line : person,
    callee: task ? person : line,
    startAt,
    answerAt: isAnswered ? startAt + ringTime * 1000 : null,
    endAt: isOngoing ? null : startAt + (ringTime + billsec) * 1000,
    duration: ringTime + billsec,
    billsec,
    recordFile: `/recordings/${at}.wav`,
    assistants: random.chance(0.1) ? [] : random.chance(0.2) ? [...own, random.pick(ASSISTANTS)] : own,
    kind: random.chance(0.2) ? "privateTest" : "phone",
    ringTime,
    hangupSide: random.pick(["caller", "callee"]),
    hangupReason: random.pick(REASONS),
    recordUrl: isAnswered ? `https://files.example/${at}.wav?sig=${at}` : null,
    extra: task ? { 姓名: `Person ${at}`, n: at } : {},
    listedFrom: 0,
    listedUntil: Infinity,
  };
}

/** The numbers that questions ask for. */
export const people: readonly string[] = PEOPLE;
export const lines: readonly string[] = LINES;
