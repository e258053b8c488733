// One odd service with a gateway in front of it, and what has been told of its calls.
import { startGateway, type GatewayClient } from "./ask.ts";
import { judgeQuestion } from "./interrogate.ts";
import { fixedQuestions, randomQuestions, aspectsOf, type Question, type Aspect } from "./questions.ts";
import { usualSemantics, type Selection, type Semantics } from "./select.ts";
import { startService, type Oddity, type Service } from "./service.ts";
import { createRandom, createWorld, usual, type Call, type Task, type World, type WorldOptions } from "./world.ts";

export interface OddService {
  /** What it does, as the end of a sentence that begins with "a service that". */
  name: string;
  oddity: Oddity;
  /** Answers to questions that bear none of these marks are right. Empty: all are. */
  affects: readonly Aspect[];
  /** What the document leaves open, as this service has it. */
  semantics?: Partial<Semantics>;
  world?: Partial<WorldOptions>;
  changes?: (world: World) => World;
  /** Settings of the gateway, such as what doctor found. */
  env?: Record<string, string>;
  /** What its list, its webhook and its tasks tell, where that is less than what happened. Null: the event cannot be read. */
  listedCall?: (call: Call) => Call;
  eventOf?: (call: Call) => Call | null;
  shownTask?: (task: Task) => Record<string, unknown>;
  /** What filters and statistics of events go by, where it is documented to be less than what happened. */
  filteredCall?: (call: Call) => Call;
  /** The rows of its events cannot be found by the times that the events tell. */
  isSearchedElsewhere?: boolean;
  /**
   * It may change the order of its list while that is read, and not its length: docs/queries.md says that this is not to be
   * seen where the row of the cursor keeps its place. Rows may then be missing or twice.
   */
  isReordering?: boolean;
  /** Where a task's list begins, if its creation cannot be read. */
  taskListStart?: number;
  /** It sends several deliveries of a call that say more or less: the log has the call once, at the first of them. */
  sendsRevisions?: boolean;
  /** All deliveries are sent at the same time: the log's order is not known. */
  deliversInParallel?: boolean;
  /** Rows beyond a range that the gateway may show, for they are within its tolerance. */
  tolerance?: Tolerance;
  /** Besides those that all are asked. */
  extraQuestions?: (world: World) => Question[];
}

/** A list that is wider than what was asked for: `heard` and `keeps` say what the service lists. */
export interface Tolerance {
  understood: (selection: Selection) => Selection;
  filter?: (call: Call, selection: Selection) => boolean;
  /** Whether the gateway may show the call all the same. */
  allows: (call: Call, selection: Selection) => boolean;
}

export interface TestBed {
  odd: OddService;
  world: World;
  semantics: Semantics;
  service: Service;
  gateway: GatewayClient;
  /** By session, in the order of the log: calls as their events tell them. */
  events: ReadonlyMap<string, Call>;
}

export const runs = Number(process.env["ODD_SERVICES_RUNS"] ?? 3);
export const seed = Number(process.env["ODD_SERVICES_SEED"] ?? 1);

const TOLD_SHARE = 0.3;
const MOST_SHOWN = 3;

/** Throws an Error that tells service, question, answer and what would be right. */
export async function examine(odd: OddService): Promise<void> {
  const changes = odd.changes ?? ((world: World) => world);
  const world = changes(createWorld(seed, { ...usual, ...odd.world }));
  const semantics = { ...usualSemantics, ...odd.semantics };
  await using service = await startService(world, odd.oddity, semantics, seed);
  await using gateway = await startGateway(service, world, odd.env);
  const told = await deliverAll(odd, world, service, gateway);
  const standing = { odd, world, semantics, service, gateway, told };
  const questions = [...fixedQuestions(world), ...(odd.extraQuestions?.(world) ?? []), ...randomQuestions(world, runs, seed)];
  const failures: string[] = [];
  let isRefused = false;
  for (const question of questions) {
    const { wrong: lies, reported: codes, shown } = await judgeQuestion(question, standing);
    isRefused ||= codes.includes("UPSTREAM_FILTER_IGNORED");
    const touched = [...aspectsOf(question)].filter((mark) => odd.affects.includes(mark));
    if (touched.length === 0 && codes.length > 0) lies.push(`must be right, and tells ${[...new Set(codes)].join()}`);
    if (lies.length > 0) failures.push(report(question, lies, shown));
  }
  const isOdd = Object.keys(odd.oddity).length > 0;
  if (isOdd && !service.wasOdd() && !isRefused) failures.push("The oddity was never met.");
  if (failures.length > 0) throw new Error(summary(odd, failures, questions.length));
}

/** In an order that is not the calls' own, nor that of the deliveries of one call. */
async function deliverAll(odd: OddService, world: World, service: Service, gateway: GatewayClient) {
  const random = createRandom(seed + 7);
  const tells = odd.eventOf ?? ((call: Call) => call);
  const told = new Map<string, Call>();
  const ended = world.calls.filter(({ endAt, sessionId }) => endAt !== null && sessionId !== null);
  const deliveries = ended
    .filter(() => random.chance(TOLD_SHARE))
    .flatMap((call) => service.deliveriesOf(call).map((body) => ({ call, body, at: random.int(0, 1e9) })))
    .sort((a, b) => a.at - b.at);
  const unreadable = deliveries.filter(({ call }) => tells(call) === null).length;
  if (odd.deliversInParallel) await Promise.all(deliveries.map(({ body }) => gateway.deliver(body)));
  for (const { call, body } of deliveries) {
    if (!odd.deliversInParallel) await gateway.deliver(body);
    const known = tells(call);
    if (known?.sessionId) told.set(known.sessionId, told.get(known.sessionId) ?? known);
  }
  const { data } = await gateway.ask("{ gateway { quarantined } }", {});
  const { quarantined } = (data ?? {})["gateway"] as { quarantined: number };
  if (quarantined !== unreadable)
    throw new Error(`${quarantined} deliveries are in quarantine, and should be ${unreadable}.`);
  return told;
}

function report(question: Question, lies: readonly string[], shown: unknown): string {
  const answer = JSON.stringify(shown) ?? "nothing";
  const more = lies.length > MOST_SHOWN ? [`and ${lies.length - MOST_SHOWN} more`] : [];
  return [
    `question: ${JSON.stringify(question)}`,
    ...lies.slice(0, MOST_SHOWN).map((lie) => `  ${lie}`),
    ...more.map((line) => `  ${line}`),
    `  answer: ${answer.length > 600 ? `${answer.slice(0, 600)}…` : answer}`,
  ].join("\n");
}

function summary({ name, env }: OddService, failures: readonly string[], asked: number): string {
  const settings = env ? ` (${JSON.stringify(env)})` : "";
  const head = `A service that ${name}${settings}: ${failures.length} of ${asked} answers are wrong (ODD_SERVICES_SEED=${seed}).`;
  return [head, ...failures.slice(0, MOST_SHOWN), ...(failures.length > MOST_SHOWN ? ["…"] : [])].join("\n");
}
