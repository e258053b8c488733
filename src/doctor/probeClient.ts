// Sends the doctor's requests: GETs only, one at a time, with a pause between them and a maximum number.
import { setTimeout } from "node:timers/promises";
import { CodedError } from "../errors.ts";
import { retryAfterSeconds, type ServiceResponse } from "../upstream/serviceResponse.ts";
import type { SingleGet } from "../upstream/openTransport.ts";
import { observePage, observeTask, type ObservedPage, type ObservedTask } from "./observe.ts";
import { httpDateMs } from "../format/instant.ts";

/** Wall-clock times of whole seconds, in epoch ms as if the wall clock were UTC. Both ends are sent. */
export interface Range {
  from: number;
  to: number;
}

export interface ListQuery {
  /** Absent: the service's own default. */
  range?: Range;
  /** Default 1. */
  pageIndex?: number;
  /** Encoded `name=value` pairs, sent unchanged. */
  filters?: readonly string[];
}

/** A page, or the HTTP status. Status 0: no answer, a 2xx that is not a page, or no requests left. */
export type ListResult = { page: ObservedPage } | { page: null; status: number };

export interface ProbeClient {
  /** Asks for a page of 100 calls (service.md 4.1). */
  listCalls(query: ListQuery): Promise<ListResult>;
  /** Reads a task (service.md 4.2). Null: not found, or not readable. */
  getTask(taskId: string): Promise<ObservedTask | null>;
  /** Requests sent so far. */
  requestCount(): number;
}

export const PAGE_SIZE = 100;
const MAX_RETRY_WAIT_S = 10;
const MAX_CONSECUTIVE_FAILURES = 3;

/**
 * Repeats a request once after a 429, a 5xx, a broken answer or no answer. Throws UPSTREAM_* if the first request fails, or
 * three requests in a row.
 */
export function createProbeClient(service: SingleGet, limits: { requests: number; pauseMs: number }): ProbeClient {
  let sent = 0;
  let failures = 0;

  async function get(path: string): Promise<ServiceResponse | null> {
    if (sent >= limits.requests) return null;
    if (sent > 0 && limits.pauseMs > 0) await setTimeout(limits.pauseMs);
    sent += 1;
    try {
      const response = await service.get(path);
      failures = 0;
      return response;
    } catch (error) {
      failures += 1;
      if (!(error instanceof CodedError) || sent === 1 || failures >= MAX_CONSECUTIVE_FAILURES) throw error;
      return null;
    }
  }
  async function getWithRetry(path: string): Promise<ServiceResponse | null> {
    const response = await get(path);
    if (response !== null && response.status !== 429 && response.status < 500) return response;
    const defaultWait = response?.status === 429 ? 1 : 0;
    await setTimeout(1000 * Math.min(retryAfterSeconds(response?.retryAfter) ?? defaultWait, MAX_RETRY_WAIT_S));
    return get(path);
  }

  return {
    requestCount: () => sent,
    async listCalls(query) {
      const response = await getWithRetry(`/openapi/calllog?${queryString(query)}`);
      const isOk = response !== null && response.status >= 200 && response.status < 300;
      const page = isOk ? observePage(response.text, dateOf(response)) : null;
      return page ? { page } : { page: null, status: isOk ? 0 : (response?.status ?? 0) };
    },
    async getTask(taskId) {
      const response = await getWithRetry(`/openapi/tasks/${encodeURIComponent(taskId)}`);
      return response?.status === 200 ? observeTask(response.text, taskId) : null;
    },
  };
}

/** Whether a page holds every call that matches. */
export const isComplete = ({ rows, total }: ObservedPage): boolean => rows.length >= total;

function queryString({ range, pageIndex = 1, filters = [] }: ListQuery): string {
  const ends = range ? [`startTime=${formatWallTime(range.from)}`, `endTime=${formatWallTime(range.to)}`] : [];
  return [...ends, `pageIndex=${pageIndex}`, `pageSize=${PAGE_SIZE}`, ...filters].join("&");
}

function formatWallTime(wallMs: number): string {
  return encodeURIComponent(new Date(wallMs).toISOString().slice(0, 19).replace("T", " "));
}

function dateOf({ date }: ServiceResponse): number | null {
  const ms = httpDateMs(date);
  return Number.isNaN(ms) ? null : ms;
}
