// Alerts as rules make them of a log, without a database.
import { readAlertRules, type AlertRule } from "../../src/alerts/alertFile.ts";
import { createJudge } from "../../src/alerts/judge.ts";
import { endedCalls } from "../../src/alerts/judgeCall.ts";
import type { CallEndedEvent } from "../../src/events/callEndedEvent.ts";
import { instantOf } from "../../src/format/instant.ts";
import type { Judgement, NewAlert, StoredState } from "../../src/store/alerts/alertWrites.ts";
import { MINUTE_MS } from "../../src/util/durations.ts";
import { callEnded, NOW, signer } from "../events/callEnded.ts";
import { tempFile } from "../store/tempStore.ts";
import { writeFile } from "node:fs/promises";

/** Rules as a file has them. */
export async function rulesOf(...rules: object[]): Promise<AlertRule[]> {
  const file = tempFile();
  await writeFile(file, JSON.stringify(rules));
  return readAlertRules(file);
}

export const answerRate = (own: object = {}) => ({
  name: "answers",
  kind: "answerRate",
  below: 0.5,
  window: { calls: 4 },
  minCalls: 4,
  coolDownMinutes: 10,
  ...own,
});

let made = 0;

/** An entry of the log: a call of task 7 that ended so many minutes after NOW, and was received then. */
export function ended(
  minute: number,
  own: Partial<CallEndedEvent> & { answered?: boolean; receivedMinute?: number } = {},
): CallEndedEvent {
  made += 1;
  const { answered = true, receivedMinute = minute, ...event } = own;
  const endAt = instantOf(NOW + minute * MINUTE_MS);
  const answer = answered ? {} : { answerAt: null, billsec: 0, hangupReason: "NO_ANSWER" };
  return {
    ...callEnded({ sessionId: `call ${made}`, endAt, ...answer }),
    cursor: String(made).padStart(10, "0"),
    revision: 1,
    source: "WEBHOOK",
    receivedAt: instantOf(NOW + receivedMinute * MINUTE_MS),
    ...event,
  };
}

export interface Told extends Pick<NewAlert, "rule" | "subject" | "raisedAt" | "calls" | "value"> {
  resolvedAt: string | null;
  ending: string | null;
  told: ("RAISED" | "RESOLVED")[];
}

export interface Judging {
  alerts: Told[];
  take(...events: CallEndedEvent[]): Judging;
  /** A look at open alerts so many minutes after NOW, where all that was received up to another minute was judged: by default all. */
  look(minute: number, through?: number): Judging;
  /** The rules are others from now on. */
  change(rules: readonly AlertRule[]): Judging;
}

/** `now`: minutes after NOW; by default entries are judged when they are received. */
export function judging(first: readonly AlertRule[], { now }: { now?: number } = {}): Judging {
  let rules = first;
  const states = new Map<string, StoredState>();
  const alerts: Told[] = [];
  const same = (own: { rule: string; subject: string; raisedAt: string }) =>
    alerts.find((each) => each.rule === own.rule && each.subject === own.subject && each.raisedAt === own.raisedAt);
  function write({ states: changed, changes }: Judgement): void {
    for (const state of changed) states.set(`${state.rule} ${state.subject}`, state);
    for (const change of changes) {
      if (change.kind === "raised") {
        const { rule, subject, raisedAt, calls, value } = change.alert;
        if (!same(change.alert))
          alerts.push({ rule, subject, raisedAt, calls, value, resolvedAt: null, ending: null, told: [] });
        continue;
      }
      const alert = same(change);
      if (!alert) continue;
      if (change.kind === "told") alert.told.push("RAISED");
      else if (alert.resolvedAt === null) {
        Object.assign(alert, { resolvedAt: change.resolvedAt, ending: change.ending });
        if (change.isTold) alert.told.push("RESOLVED");
      }
    }
  }
  const own: Judging = {
    alerts,
    take(...events) {
      const last = events.at(-1);
      const at = now === undefined ? Date.parse(last?.receivedAt ?? "") : NOW + now * MINUTE_MS;
      write(createJudge({ of: endedCalls, rules, signer, now: at }).judge(events, [...states.values()]));
      return own;
    },
    look(minute, through = minute) {
      const open = [...states.values()].filter(({ isOpen }) => isOpen);
      const judge = createJudge({ of: endedCalls, rules, signer, now: NOW + minute * MINUTE_MS });
      write(judge.settle({ states: open, alerts: [] }, NOW + through * MINUTE_MS));
      return own;
    },
    change(others) {
      rules = others;
      return own;
    },
  };
  return own;
}

export const minute = (minutes: number): string => instantOf(NOW + minutes * MINUTE_MS);
