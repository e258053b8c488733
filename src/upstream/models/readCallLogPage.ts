// One page of the call log (service.md, section 4.1). An answer without its fields is an error and never "no calls";
// `items: null` is how Go writes none, and what may come beyond the end.
import { z } from "zod";
import { compileSchema, issuePath, nullableList, number } from "../../format/fieldParsers.ts";
import { createFieldReader } from "../../format/fieldReader.ts";
import { contractError } from "../judgeResponse.ts";
import type { CallLogPage } from "../upstream.ts";
import { readCallLog } from "./readCallLog.ts";
import { reportsFailure } from "./failureInBody.ts";

/** A page cannot be placed without its numbers, so unlike a row's they must be there. */
const whole = number.pipe(z.int().nonnegative());

const readPage = compileSchema(
  z.object({
    items: nullableList(z.unknown()),
    total: whole,
    pageIndex: whole,
    pageSize: whole,
  }),
);

/** Throws UPSTREAM_CONTRACT where the page, or a single one of its rows, cannot be read: a row less would be a lie. */
export function readCallLogPage(value: unknown, zone: string): CallLogPage {
  const parsed = readPage(value);
  if (!parsed.success) {
    const place = issuePath(parsed.error);
    throw contractError(`The service's call log ${place ? `has no readable ${place}` : "is no object"}.`);
  }
  const { items, ...numbers } = parsed.data;
  if (items.length === 0 && reportsFailure(value as object))
    throw contractError("The service's call log has no rows, and tells of a failure.");
  const reader = createFieldReader(zone);
  return Object.freeze({
    rows: Object.freeze(items.map((item, index) => readCallLog(item, index, reader))),
    ...numbers,
  });
}
