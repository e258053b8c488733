// Whatever happens to a destination, people are told what is so: alerts about it against what was done, minute by minute.
import * as fc from "fast-check";
import { expect, it } from "vitest";
import type { AlertRule } from "../../src/alerts/alertFile.ts";
import { judgeConditions, type Finding } from "../../src/alerts/conditions.ts";
import { createDestinationLook, type WatchedDestination } from "../../src/alerts/destinationConditions.ts";
import { instantOf } from "../../src/format/instant.ts";
import type { NewAlert, StoredState } from "../../src/store/alerts/alertWrites.ts";
import { MINUTE_MS } from "../../src/util/durations.ts";
import { NOW } from "../events/callEnded.ts";
import { fails } from "./destinationWorld.ts";
import { rulesOf } from "./judging.ts";

const MINUTES = 3;
const doings = [
  "fail",
  "take",
  "refuse",
  "takeAndRefuse",
  "resumeAndRefuse",
  "disable",
  "pause",
  "resume",
  "off",
  "leave",
  "restart",
  "nothing",
] as const;
type Doing = (typeof doings)[number];

interface Told extends Pick<NewAlert, "subject" | "raisedAt"> {
  ending: string | null;
}

/** A destination to which things happen, one a minute, and what the looks make of it. */
function simulation(rules: readonly AlertRule[], getsCalls: boolean) {
  const state = {
    run: 1,
    state: "ACTIVE",
    reason: null,
    delivered: 0,
    failingSince: null,
    lastAnswer: null,
  } as NonNullable<WatchedDestination["state"]>;
  const shown = { isOn: true, isInFile: true };
  /** Minutes. `failing`: of the first failure since something was taken, or somebody let it go on. `known`: what a new gateway knows of it. */
  const facts = { taken: -1, failing: null as number | null, known: null as number | null };
  const states = new Map<string, StoredState>();
  const alerts: Told[] = [];
  let look = createDestinationLook();
  let minute = 0;
  const now = () => NOW + minute * MINUTE_MS;

  function attempt(status: number, failingSince: string | null): void {
    Object.assign(state, { failingSince, lastAnswer: { at: instantOf(now()), status, text: null } });
    if (status === 204) return;
    facts.failing ??= minute;
    facts.known ??= minute;
  }
  /** The database has the last attempt of a chat, and not whether somebody let it go on since. */
  function forget(): void {
    const { lastAnswer, failingSince } = state;
    if (getsCalls || !lastAnswer || lastAnswer.status === 204) return;
    const last = (Date.parse(failingSince ?? lastAnswer.at) - NOW) / MINUTE_MS;
    facts.failing = Math.min(facts.failing ?? Infinity, last);
    if (facts.known !== null) facts.known = last;
  }
  function change(to: object): void {
    Object.assign(state, { run: state.run + 1, reason: null, failingSince: null, ...to });
    [facts.failing, facts.known] = [null, null];
  }
  const isSent = () => shown.isOn && shown.isInFile && state.state === "ACTIVE";
  const steps: Record<Doing, () => void> = {
    fail() {
      if (!isSent()) return;
      attempt(503, state.failingSince ?? instantOf(now()));
    },
    take() {
      if (!isSent()) return;
      attempt(204, null);
      state.delivered += 1;
      Object.assign(facts, { taken: minute, failing: null, known: null });
    },
    refuse() {
      if (!isSent()) return;
      // One that gets calls keeps failing; a chat has nothing more to send.
      attempt(404, getsCalls ? (state.failingSince ?? instantOf(now())) : null);
    },
    resumeAndRefuse() {
      steps.resume();
      steps.refuse();
    },
    takeAndRefuse() {
      steps.take();
      steps.refuse();
    },
    disable() {
      if (!isSent()) return;
      attempt(410, state.failingSince ?? instantOf(now()));
      Object.assign(state, { run: state.run + 1, state: "DISABLED", reason: "GONE" });
    },
    pause: () => change({ state: "PAUSED" }),
    resume: () => change({ state: "ACTIVE" }),
    off() {
      shown.isOn = !shown.isOn;
      if (shown.isOn && facts.known !== null) facts.known = minute;
    },
    leave() {
      shown.isInFile = !shown.isInFile;
      forget();
    },
    restart() {
      look = createDestinationLook();
      forget();
    },
    nothing: () => undefined,
  };
  function lookNow(): void {
    const crm = { name: "crm", isOn: shown.isOn, getsCalls, state };
    const found = look(rules, shown.isInFile ? [crm] : [], now());
    const { states: written, changes } = judgeConditions(found, [...states.values()], now());
    for (const each of written) states.set(each.subject, each);
    for (const each of changes) {
      if (each.kind === "raised") alerts.push({ ...each.alert, ending: null });
      if (each.kind !== "resolved") continue;
      const alert = alerts.find(({ subject, raisedAt }) => subject === each.subject && raisedAt === each.raisedAt);
      if (alert) alert.ending = each.ending;
    }
  }
  return {
    state,
    facts,
    alerts,
    isWatched: () => shown.isOn && shown.isInFile,
    minute: () => minute,
    /** The second look comes between two minutes. */
    next(doing: Doing) {
      const before = new Set(alerts);
      const open = alerts.filter(({ ending }) => ending === null);
      minute += 1;
      steps[doing]();
      lookNow();
      minute += 0.5;
      lookNow();
      minute -= 0.5;
      return {
        raised: alerts.filter((alert) => !before.has(alert)),
        ended: open.filter(({ ending }) => ending !== null),
        open: alerts.filter(({ ending }) => ending === null),
      };
    },
  };
}

const minuteOf = ({ raisedAt }: Told) => (Date.parse(raisedAt) - NOW) / MINUTE_MS;
const isDisabled = ({ subject }: Pick<Finding, "subject">) => subject.endsWith(" disabled");

it("Alerts about a destination say what is so, one at a time, whatever happens to it", async () => {
  const rules = await rulesOf(fails({ minutes: MINUTES }));
  const sequence = fc.array(
    fc.oneof(
      { weight: 3, arbitrary: fc.constantFrom("fail" as const, "nothing" as const) },
      fc.constantFrom(...doings),
    ),
    { minLength: 1, maxLength: 60 },
  );
  fc.assert(
    fc.property(sequence, fc.boolean(), (all, getsCalls) => {
      const world = simulation(rules, getsCalls);
      for (const doing of all) {
        const { raised, ended, open } = world.next(doing);
        const { state, facts } = world;
        const isActive = world.isWatched() && state.state === "ACTIVE";
        expect(open.length).toBeLessThanOrEqual(1);
        if (!world.isWatched() || state.state === "PAUSED") expect(open).toEqual([]);
        if (world.isWatched() && state.state === "DISABLED") expect(open.map(isDisabled)).toEqual([true]);
        // Nothing is told of a destination that was not tried, or that took something.
        for (const alert of raised.filter((each) => !isDisabled(each)))
          expect([isActive, minuteOf(alert) - (facts.failing ?? Infinity) >= MINUTES]).toEqual([true, true]);
        // A look after the first one of a start tells what has been so for the minutes.
        if (isActive && world.minute() - (facts.known ?? Infinity) >= MINUTES) expect(open).toHaveLength(1);
        for (const alert of ended.filter(({ ending }) => ending === "RECOVERED"))
          expect(facts.taken).toBeGreaterThan(minuteOf(alert));
        if (isActive && (doing === "take" || doing === "takeAndRefuse")) expect(open).toEqual([]);
      }
    }),
    { numRuns: 300 },
  );
});
