// Starts an odd service with a gateway in front of it, delivers the events of its calls, and asks the gateway questions.
import { hash } from "fast-check";
import { startGateway, type GatewayClient } from "./gatewayClient.ts";
import { judgeQuestion } from "./judgeQuestion.ts";
import { fixedQuestions, randomQuestions, aspectsOf, type Question, type Aspect } from "./questions.ts";
import { usualSemantics, type Selection, type Semantics } from "./selectCalls.ts";
import { startService, type Oddity, type Service } from "./service.ts";
import { createRandom, createWorld, usual, type Call, type Task, type World, type WorldOptions } from "./world.ts";

export interface OddService {
  /** The end of a sentence that begins with "a service that". */
  name: string;
  oddity: Oddity;
  /** The aspects that the oddity may affect. The gateway must answer all other questions correctly, without an error. */
  affects: readonly Aspect[];
  /** The service's choices where the document leaves something open. */
  semantics?: Partial<Semantics>;
  world?: Partial<WorldOptions>;
  changes?: (world: World) => World;
  /** Settings of the gateway, such as the doctor's findings. */
  env?: Record<string, string>;
  /**
   * What the list, the webhook and the tasks show, if that is less than what happened. `eventOf` returns null for an event that
   * cannot be read.
   */
  listedCall?: (call: Call) => Call;
  eventOf?: (call: Call) => Call | null;
  shownTask?: (task: Task) => Record<string, unknown>;
  /** The values that filters and statistics of events use, if docs/queries.md says that they differ from what happened. */
  filteredCall?: (call: Call) => Call;
  /** The rows of its events cannot be found by the times in the events. */
  isSearchedElsewhere?: boolean;
  /**
   * The order of its list may change during a read, but not the length. By docs/queries.md this cannot be detected if the
   * cursor's row keeps its position; then rows may be missing or repeated.
   */
  isReordering?: boolean;
  /** The start of a task's list, if the task's creation time cannot be read. */
  taskListStart?: number;
  /** It sends several deliveries for a call with different contents. The log shows the call once, at the first delivery. */
  sendsRevisions?: boolean;
  /** All deliveries are sent at the same time, so the log's order is not known. */
  deliversInParallel?: boolean;
  /** Rows that the gateway may show although they do not match, because they are within its tolerance. */
  tolerance?: Tolerance;
  /** In addition to the questions for all services. */
  extraQuestions?: (world: World) => Question[];
}

/** A list that is wider than requested. `understood` and `filter` describe what the service lists. */
export interface Tolerance {
  understood: (selection: Selection) => Selection;
  filter?: (call: Call, selection: Selection) => boolean;
  /** Whether the gateway may show a call that does not match. */
  allows: (call: Call, selection: Selection) => boolean;
}

export interface TestBed {
  odd: OddService;
  world: World;
  semantics: Semantics;
  service: Service;
  gateway: GatewayClient;
  /** The calls as their events describe them, by session ID, in the order of the log. */
  events: ReadonlyMap<string, Call>;
}

export const runs = Number(process.env["ODD_SERVICES_RUNS"] ?? 3);
export const seed = Number(process.env["ODD_SERVICES_SEED"] ?? 1);

/** Fewer where the oddity does not affect events. */
const deliveredShare = ({ affects }: OddService) => (affects.length === 0 || affects.includes("event") ? 0.3 : 0.1);
const MAX_SHOWN = 3;

/** Else a service is asked half of the fixed questions that its oddity does not affect: another half than the next service. */
const asksAllOf = ({ affects }: OddService) => affects.length === 0 || process.env["ODD_SERVICES_RUNS"] !== undefined;

/** Throws an Error with the service, the question, the answer and the expected answer. */
export async function examine(odd: OddService): Promise<void> {
  const changes = odd.changes ?? ((world: World) => world);
  const world = changes(createWorld(seed, { ...usual, ...odd.world }));
  const semantics = { ...usualSemantics, ...odd.semantics };
  await using service = await startService(world, odd.oddity, semantics, seed);
  await using gateway = await startGateway(service, world, odd.env);
  const events = await deliverAll(odd, world, service, gateway);
  const testBed = { odd, world, semantics, service, gateway, events };
  const isAffected = (question: Question) => [...aspectsOf(question)].some((aspect) => odd.affects.includes(aspect));
  const questions = [
    ...fixedQuestions(world).filter(
      (question, at) => asksAllOf(odd) || isAffected(question) || (at + seed + hash(odd.name)) % 2 === 0,
    ),
    ...(odd.extraQuestions?.(world) ?? []),
    ...randomQuestions(world, runs, seed),
  ];
  const failures: string[] = [];
  let isDetected = false;
  for (const question of questions) {
    const { wrong: lies, reported: codes, shown } = await judgeQuestion(question, testBed);
    isDetected ||= codes.includes("UPSTREAM_FILTER_IGNORED");
    if (!isAffected(question) && codes.length > 0)
      lies.push(`must be right, but reports ${[...new Set(codes)].join()}`);
    if (lies.length > 0) failures.push(report(question, lies, shown));
  }
  const isOdd = Object.keys(odd.oddity).length > 0;
  if (isOdd && !service.wasOdd() && !isDetected) failures.push("No response or delivery was odd.");
  if (failures.length > 0) throw new Error(summary(odd, failures, questions.length));
}

/** Delivers in a random order, which is neither the calls' nor that of the deliveries of one call. */
async function deliverAll(odd: OddService, world: World, service: Service, gateway: GatewayClient) {
  const random = createRandom(seed + 7);
  const eventOf = odd.eventOf ?? ((call: Call) => call);
  const events = new Map<string, Call>();
  const ended = world.calls.filter(({ endAt, sessionId }) => endAt !== null && sessionId !== null);
  const deliveries = ended
    .filter(() => random.chance(deliveredShare(odd)))
    .flatMap((call) => service.deliveriesOf(call).map((body) => ({ call, body, at: random.int(0, 1e9) })))
    .sort((a, b) => a.at - b.at);
  const unreadable = deliveries.filter(({ call }) => eventOf(call) === null).length;
  if (odd.deliversInParallel) await Promise.all(deliveries.map(({ body }) => gateway.deliver(body)));
  for (const { call, body } of deliveries) {
    if (!odd.deliversInParallel) await gateway.deliver(body);
    const known = eventOf(call);
    if (known?.sessionId) events.set(known.sessionId, events.get(known.sessionId) ?? known);
  }
  const { data } = await gateway.ask("{ gateway { quarantined } }", {});
  const { quarantined } = (data ?? {})["gateway"] as { quarantined: number };
  if (quarantined !== unreadable)
    throw new Error(`${quarantined} deliveries are in quarantine, expected ${unreadable}.`);
  return events;
}

function report(question: Question, lies: readonly string[], shown: unknown): string {
  const answer = JSON.stringify(shown) ?? "nothing";
  const more = lies.length > MAX_SHOWN ? [`and ${lies.length - MAX_SHOWN} more`] : [];
  return [
    `question: ${JSON.stringify(question)}`,
    ...lies.slice(0, MAX_SHOWN).map((lie) => `  ${lie}`),
    ...more.map((line) => `  ${line}`),
    `  answer: ${answer.length > 600 ? `${answer.slice(0, 600)}…` : answer}`,
  ].join("\n");
}

function summary({ name, env }: OddService, failures: readonly string[], asked: number): string {
  const settings = env ? ` (${JSON.stringify(env)})` : "";
  const head = `A service that ${name}${settings}: ${failures.length} of ${asked} answers are wrong (ODD_SERVICES_SEED=${seed}).`;
  return [head, ...failures.slice(0, MAX_SHOWN), ...(failures.length > MAX_SHOWN ? ["…"] : [])].join("\n");
}
