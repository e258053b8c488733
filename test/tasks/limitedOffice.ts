// An office whose viewer "web" has limits, and what the tests of limits send to it.
import type { ViewerLimits } from "../../src/auth/viewerPolicy.ts";
import type { CheckTaskInput } from "../../src/tasks/validateCreateTask.ts";
import { tempStore } from "../store/tempStore.ts";
import { createTaskInput } from "./input.ts";
import { office, type Send } from "./office.ts";

let keys = 0;
export const input = (own: Partial<CheckTaskInput> = {}) =>
  createTaskInput({ idempotencyKey: `limit-${(keys += 1)}`, ...own });
export const people = (count: number, from = 10) => ({
  numbers: Array.from({ length: count }, (_, at) => ({ number: `+86138000${from + at}` })),
});
export const limitedOffice = async (limits: ViewerLimits, send?: Send, url?: string) =>
  office(send, undefined, await tempStore(url), new Map([["web", limits]]));
export const codes = ({ errors }: { errors: { code: string; path: string[] }[] }) =>
  errors.map(({ code, path }) => [code, path.join(".")]);

/** A rule for the hours of called people. */
export const called = (prefix: string, timeZone: string, from = "09:00", to = "20:00") => ({
  prefix,
  timeZone,
  from,
  to,
});
