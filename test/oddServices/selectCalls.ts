// Selects and sorts the calls of a list by service.md; Semantics holds what the document leaves open. Both the service and the
// oracle use it: the oddities change only what surrounds it.
import type { Call, World } from "./world.ts";

/** Choices that the document leaves open. Each of them is honest. */
export interface Semantics {
  rangeBy: "startAt" | "answerAt" | "endAt";
  startTimeCounts: boolean;
  endTimeCounts: boolean;
  /** `none`: a different order each time. */
  order: "newest" | "oldest" | "bySession" | "byEnd" | "none";
  /** Whether a number with its country code and the same without are equal. */
  phone: "asWritten" | "asNumber";
}

export const usualSemantics: Semantics = {
  rangeBy: "startAt",
  startTimeCounts: true,
  endTimeCounts: true,
  order: "newest",
  phone: "asNumber",
};

/** A query of section 4.1 without its page. Empty lists and nulls do not filter. */
export interface Selection {
  taskIds: readonly string[];
  /** Epoch milliseconds, whole seconds. */
  since: number;
  until: number;
  direction: string | null;
  phone: string | null;
  assistantIds: readonly string[];
  kind: string | null;
}

export function selectCalls(world: World, asked: Selection, semantics: Semantics, turn: number): Call[] {
  const { taskIds, direction, phone, assistantIds, kind } = asked;
  const found = world.calls.filter(
    (call) =>
      call.listedFrom <= turn &&
      turn < call.listedUntil &&
      isInRange(call, asked, semantics) &&
      (taskIds.length === 0 || taskIds.includes(call.taskId ?? "none")) &&
      (direction === null || call.direction === direction) &&
      (phone === null || [call.caller, call.callee].some((number) => isSameNumber(number, phone, semantics))) &&
      (assistantIds.length === 0 || call.assistants.some(({ id }) => assistantIds.includes(id))) &&
      (kind === null || call.kind === kind),
  );
  return found.sort(comparing(semantics.order));
}

export function isInRange(call: Call, { since, until }: Selection, semantics: Semantics): boolean {
  // A call without an answer time counts at its start; a call without an end is in no range of ends.
  const time = semantics.rangeBy === "answerAt" ? (call.answerAt ?? call.startAt) : call[semantics.rangeBy];
  if (time === null) return false;
  return (
    (time > since || (semantics.startTimeCounts && time === since)) &&
    (time < until || (semantics.endTimeCounts && time === until))
  );
}

export function isSameNumber(number: string, asked: string, { phone }: Semantics): boolean {
  return phone === "asWritten" ? number === asked : national(number) === national(asked);
}

/** All numbers of the world belong to one country. */
function national(number: string): string {
  return number.replace(/^(\+|00)86/, "");
}

function comparing(order: Semantics["order"]): (a: Call, b: Call) => number {
  const bySession = (a: Call, b: Call) => ((a.sessionId ?? "") < (b.sessionId ?? "") ? -1 : 1);
  if (order === "bySession") return bySession;
  if (order === "byEnd") return (a, b) => (b.endAt ?? Infinity) - (a.endAt ?? Infinity) || bySession(a, b);
  const sign = order === "oldest" ? 1 : -1;
  return (a, b) => sign * (a.startAt - b.startAt) || bySession(a, b);
}
