// GET /openapi/calllog: filters, orders and pages the calls (service.md 4.1). What the range filters, and how, are quirks.
import type { Call } from "../world/model.ts";
import type { ListParams } from "./callLogParams.ts";
import type { Quirks } from "../control/quirks.ts";
import { hash } from "../world/random.ts";
import type { Shapes } from "./responseShapes.ts";

/** Finite, for the difference of two infinities is no number. */
const STILL_GOING = Number.MAX_SAFE_INTEGER;

/** @param calls oldest start first. */
export function listCallLogs(
  params: ListParams,
  deps: { calls: readonly Call[]; quirks: Quirks; shapes: Shapes },
): Record<string, unknown> {
  const { quirks, shapes } = deps;
  const found = ordered(
    deps.calls.filter((call) => isInRange(call, params, quirks) && isMeant(call, params, quirks)),
    quirks,
  );
  const pageSize = Math.min(params.pageSize, quirks.maxPageSize ?? params.pageSize);
  const first = (params.pageIndex - 1) * pageSize;
  const rows = found.slice(first, first + pageSize).map(shapes.callLog);
  const isBeyond = rows.length === 0 && params.pageIndex > 1;
  return {
    items: isBeyond && quirks.nullBeyondEnd ? null : shapes.list(rows),
    total: found.length,
    pageIndex: params.pageIndex,
    pageSize: quirks.pageSizeTold === "used" ? pageSize : params.pageSize,
    ...shapes.surplus(),
  };
}

function isMeant(call: Call, params: ListParams, quirks: Quirks): boolean {
  if (params.taskIds.length > 0 && (call.taskId === null || !params.taskIds.includes(call.taskId))) return false;
  if (params.direction !== null && call.direction !== params.direction) return false;
  if (params.description !== null && call.kind !== params.description) return false;
  if (params.assistantIds.length > 0 && !call.assistants.some(({ id }) => params.assistantIds.includes(id)))
    return false;
  const { phone } = params;
  if (phone === null) return true;
  return quirks.phoneMatch === "exact"
    ? call.caller === phone || call.callee === phone
    : call.caller.includes(phone) || call.callee.includes(phone);
}

/** Compared as whole seconds, for that is what callers can write. */
function isInRange(call: Call, { startTime, endTime }: ListParams, { rangeField, rangeEnds }: Quirks): boolean {
  const instant = { start: call.startAt, answer: call.answerAt, end: call.endAt, create: call.createdAt }[rangeField];
  if (instant === null) return false;
  const second = Math.floor(instant / 1000) * 1000;
  if (second < startTime || second > endTime) return false;
  const startCounts = rangeEnds === "inclusive" || rangeEnds === "endExclusive";
  const endCounts = rangeEnds === "inclusive" || rangeEnds === "startExclusive";
  return (second !== startTime || startCounts) && (second !== endTime || endCounts);
}

function ordered(calls: readonly Call[], { order }: Quirks): Call[] {
  if (order === "oldest") return [...calls];
  if (order === "newestEnd")
    return calls.toReversed().toSorted((a, b) => (b.endAt ?? STILL_GOING) - (a.endAt ?? STILL_GOING));
  if (order === "byId") return calls.toSorted((a, b) => (a.sessionId < b.sessionId ? -1 : 1));
  if (order === "shuffled") return calls.toSorted((a, b) => hash(a.sessionId) - hash(b.sessionId));
  return calls.toReversed();
}
