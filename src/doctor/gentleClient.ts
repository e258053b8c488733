// Asks the service, gently: one GET after another, with a pause between, at most so many, and never anything but a GET.
import { setTimeout } from "node:timers/promises";
import { CodedError } from "../errors.ts";
import { retryAfterSeconds } from "../upstream/judgeResponse.ts";
import type { ServiceResponse } from "../upstream/judgeResponse.ts";
import type { SingleGet } from "../upstream/singleGet.ts";
import { seePage, seeTask, type SeenPage, type SeenTask } from "./observed.ts";

/** Epoch ms of whole seconds, the wall clock's digits as if they were UTC. */
export interface Range {
  from: number;
  to: number;
}

export interface ListQuestion {
  /** None: the service's own default. */
  range?: Range;
  /** Default 1. */
  pageIndex?: number;
  /** Written as they are: names and values are encoded already. */
  filters?: readonly string[];
}

/** A page, or why there is none: the status; 0 for no answer, an answer that is no page, and a plan that is used up. */
export type Look = { page: SeenPage } | { page: null; status: number };

export interface Asker {
  /** Asks for pages of 100. */
  list(question: ListQuestion): Promise<Look>;
  /** Null: none there, or it cannot be read. */
  task(taskId: string): Promise<SeenTask | null>;
  /** Requests sent so far. */
  asked(): number;
}

export const PAGE_SIZE = 100;
const LONGEST_WAIT_S = 10;
const MOST_FAILURES_IN_A_ROW = 3;

/**
 * Throws UPSTREAM_* where the first request, or three in a row, come to nothing. What got a 429, a 5xx, a broken answer or
 * none is asked again, once.
 */
export function createAsker(service: SingleGet, limits: { requests: number; pauseMs: number }): Asker {
  let asked = 0;
  let failures = 0;

  async function get(path: string): Promise<ServiceResponse | null> {
    if (asked >= limits.requests) return null;
    if (asked > 0 && limits.pauseMs > 0) await setTimeout(limits.pauseMs);
    asked += 1;
    try {
      const answer = await service.get(path);
      failures = 0;
      return answer;
    } catch (error) {
      failures += 1;
      if (!(error instanceof CodedError) || asked === 1 || failures >= MOST_FAILURES_IN_A_ROW) throw error;
      return null;
    }
  }
  async function patiently(path: string): Promise<ServiceResponse | null> {
    const answer = await get(path);
    if (answer !== null && answer.status !== 429 && answer.status < 500) return answer;
    const usual = answer?.status === 429 ? 1 : 0;
    await setTimeout(1000 * Math.min(retryAfterSeconds(answer?.retryAfter) ?? usual, LONGEST_WAIT_S));
    return get(path);
  }

  return {
    asked: () => asked,
    async list(question) {
      const answer = await patiently(`/openapi/calllog?${queryOf(question)}`);
      const isGood = answer !== null && answer.status >= 200 && answer.status < 300;
      const page = isGood ? seePage(answer.text, dateOf(answer)) : null;
      return page ? { page } : { page: null, status: isGood ? 0 : (answer?.status ?? 0) };
    },
    async task(taskId) {
      const answer = await patiently(`/openapi/tasks/${encodeURIComponent(taskId)}`);
      return answer?.status === 200 ? seeTask(answer.text, taskId) : null;
    },
  };
}

/** Whether a page holds all there is. */
export const isWhole = ({ rows, total }: SeenPage): boolean => rows.length >= total;

function queryOf({ range, pageIndex = 1, filters = [] }: ListQuestion): string {
  const ends = range ? [`startTime=${written(range.from)}`, `endTime=${written(range.to)}`] : [];
  return [...ends, `pageIndex=${pageIndex}`, `pageSize=${PAGE_SIZE}`, ...filters].join("&");
}

function written(wallMs: number): string {
  return encodeURIComponent(new Date(wallMs).toISOString().slice(0, 19).replace("T", " "));
}

function dateOf({ date }: ServiceResponse): number | null {
  const ms = Date.parse(date ?? "");
  return Number.isNaN(ms) ? null : ms;
}
