// Alerts on campaigns: the rules of ALERTS_FILE, evaluated over the log.
import { createAlertService, type AlertService, type RuleInUse } from "../alerts/alertService.ts";
import { readAlertRules, usedLimits, watchesTasks, type AlertRule } from "../alerts/alertFile.ts";
import { doubtsOf, type KnownNames } from "../alerts/ruleDoubts.ts";
import { endAlerts, placeAlerts, startAlerts } from "../alerts/startAlerts.ts";
import { createTaskLooks } from "../alerts/taskLooks.ts";
import { watchFile } from "../auth/watchedFile.ts";
import { createTaskFacts } from "./taskFacts.ts";
import { createLimitConditions } from "./usedLimits.ts";
import { createDestinationConditions } from "./watchedDestinations.ts";
import { createQueryOwner } from "../store/scheduling/queryOwner.ts";
import type { Auth } from "../auth/createAuth.ts";
import { createSignal, type Signal } from "../util/signal.ts";
import { MINUTE_MS } from "../util/durations.ts";
import { startRepeating } from "../util/startRepeating.ts";
import type { Base } from "./base.ts";
import type { Destinations } from "./createDestinations.ts";
import type { Events } from "./createEvents.ts";
import type { Service } from "./createService.ts";
import type { Storage } from "./createStorage.ts";

export interface AlertsDeps extends Base {
  storage: Storage;
  service: Service;
  events: Events;
  auth: Pick<Auth, "keys" | "onKeysChange">;
  destinations: Pick<Destinations, "file">;
}

export interface Alerts extends AsyncDisposable {
  service: AlertService;
  /** Notified when something may have been told, here or on another gateway. */
  told: Signal;
}

const NO_FILE = { current: (): readonly AlertRule[] => [], onChange: () => () => undefined };
/** What rules name is examined again after so many looks: a task or an assistant may have become known. */
const EXAMINED_EACH = 60;
/** More reasons than a service has. */
const MAX_REASONS = 500;

/** Throws an Error of one line while ALERTS_FILE cannot be read, and a FinalError if its content is wrong. */
export async function createAlerts(deps: AlertsDeps): Promise<Alerts> {
  const { config, storage, observers, log } = deps;
  const { alertsFile: file } = config;
  await using parts = new AsyncDisposableStack();
  const read = (path: string) => readAlertRules(path);
  const watched = file === null ? NO_FILE : parts.use(await watchFile({ file, variable: "ALERTS_FILE", read, log }));
  const { alerts: store, readers, leases } = storage.store;
  const told = createSignal();
  // Another gateway may be the one that evaluates.
  parts.use(storage.store.onNotify((through) => (through === null ? told.notify() : undefined)));
  let examined: readonly RuleInUse[] = [];
  const { signer, clock } = storage;
  const { timeZone } = config.upstream;
  // Not the observed one: what alerts ask is no sign that somebody still needs the task.
  const upstream = deps.service.client;
  const facts = createTaskFacts({
    upstream,
    store: storage.store.taskLooks,
    tasks: storage.tasks,
    timeZone,
    days: config.taskDays,
    clock: clock.now,
  });
  const tasks = createTaskLooks({ facts, clock: clock.now, log });
  async function rulesInUse(): Promise<RuleInUse[]> {
    const ofLooks = await storage.store.taskLooks.doubts();
    return watched.current().map((rule) => {
      const { doubts = [] } = examined.find((each) => each.rule === rule) ?? {};
      const told = watchesTasks(rule) ? ofLooks.get(rule.name) : undefined;
      return { rule, doubts: [...doubts, ...(told ?? [])] };
    });
  }
  async function examine(): Promise<void> {
    const known = knownNames(deps);
    const rules = watched.current();
    const told = new Set(examined.flatMap(({ rule, doubts }) => doubts.map((doubt) => `${rule.name} ${doubt}`)));
    examined = await Promise.all(rules.map(async (rule) => ({ rule, doubts: await doubtsOf(rule, known) })));
    for (const { rule, doubts } of examined)
      for (const doubt of doubts)
        if (!told.has(`${rule.name} ${doubt}`))
          log.warn({ rule: rule.name }, `a rule of ALERTS_FILE may never apply: ${doubt}`);
  }
  let examining = Promise.resolve();
  /** In turn, so that the last answer is of the last files. */
  const examineLater = () =>
    void (examining = examining
      .then(examine)
      .catch((err: unknown) => log.warn({ err }, "rules of ALERTS_FILE could not be examined")));
  const shared = { leases, signer, store, told, clock: clock.now, log };
  if (file === null) parts.use(endAlerts(shared));
  else {
    const { events } = deps.events;
    const observer = observers.alerts;
    const { recordings, usage } = storage.store;
    const limits = createLimitConditions({ keys: deps.auth.keys, usage, timeZone, clock: clock.now });
    const { file: definitions } = deps.destinations;
    const destinations = createDestinationConditions({
      definitions: definitions.current,
      store: storage.store.destinations,
      clock: clock.now,
    });
    const conditions = [limits, tasks.find, destinations];
    const running = {
      ...shared,
      events,
      recordings,
      conditions,
      readers,
      rules: watched.current,
      observer,
      readerObserver: observers.events,
      times: deps.overrides.alertTimes,
    };
    await placeAlerts(running);
    parts.use(startAlerts(running));
    parts.defer(watched.onChange(examineLater));
    // Rules name keys and destinations.
    parts.defer(deps.auth.onKeysChange(examineLater));
    parts.defer(definitions.onChange(examineLater));
    const { settleMs = MINUTE_MS } = deps.overrides.alertTimes ?? {};
    const examineAgain = async () => {
      examineLater();
      await examining;
      return EXAMINED_EACH * settleMs;
    };
    parts.use(startRepeating(examineAgain));
  }
  const service = createAlertService({ store, told, rules: rulesInUse, log });
  const running = parts.move();
  return { service, told, [Symbol.asyncDispose]: () => running.disposeAsync() };
}

function knownNames({ config, storage, service, auth, destinations }: AlertsDeps): KnownNames {
  const { stats } = storage.store;
  const { assistants, hangUps } = config.named;
  let reasons: Promise<Set<string | null>> | undefined;
  const readReasons = async () => {
    const found = await stats.byHangupReason(createQueryOwner("alerts"), {}, MAX_REASONS + 1);
    if (found.length > MAX_REASONS) throw new Error("There are too many reasons.");
    return new Set(found.map(({ reason }) => reason));
  };
  return {
    // Not the observed one, as above.
    task: async (taskId) => (await service.client.getTask(taskId)) !== null,
    async assistant(assistantId) {
      if (assistants.some(({ id }) => id === assistantId)) return true;
      if ((await storage.assistants.latest(assistantId)) !== null) return true;
      const { calls } = await stats.totals(createQueryOwner("alerts"), { assistantIds: [assistantId] });
      return calls > 0;
    },
    async reason(reason) {
      if (hangUps.some((own) => own.reason === reason)) return true;
      reasons ??= readReasons();
      return (await reasons).has(reason);
    },
    key: async (name) => auth.keys().some((key) => key.name === name),
    destination: async (asked) => destinations.file.current().some(({ name }) => asked === undefined || name === asked),
    limit: async (keys, limits = usedLimits) =>
      auth
        .keys()
        .some(({ name, limits: own }) => (keys?.includes(name) ?? true) && limits.some((limit) => own && limit in own)),
  };
}
