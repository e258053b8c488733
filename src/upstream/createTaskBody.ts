// Writes the body of a task's creation (service.md, section 4.3), with the service's own names: its `numbers` are lines
// in one place and people in the other.
import { writeInteger } from "../format/exactJson.ts";
import type { Steps } from "../util/timeSlices.ts";
import type { CreateTaskRequest } from "./upstream.ts";

const NUMBERS_AT_ONCE = 100;

/** In small steps. Ids are JSON integers, digit by digit. Throws TypeError for an id that is no decimal. */
export function* createTaskBody({ numbers, ...rest }: CreateTaskRequest): Steps<Buffer> {
  const parts = [Buffer.from(headOf(rest))];
  for (let at = 0; at < numbers.length; at += NUMBERS_AT_ONCE) {
    const some = numbers.slice(at, at + NUMBERS_AT_ONCE);
    const written = some.map(({ number, extra }) => JSON.stringify({ number, ...(extra === null ? {} : { extra }) }));
    parts.push(Buffer.from((at > 0 ? "," : "") + written.join(",")));
    yield;
  }
  parts.push(Buffer.from("]}"));
  return Buffer.concat(parts);
}

/** All but the numbers, up to the bracket that opens their list. */
function headOf({ name, assistantId, assistantOverride, option }: Omit<CreateTaskRequest, "numbers">): string {
  const whole = JSON.stringify({
    name,
    assistantId: writeInteger(assistantId),
    ...overrideOf(assistantOverride),
    option: {
      numberFileMeta: metaOf(option.numberFileMeta),
      numbers: option.lineIds.map(writeInteger),
      startTime: option.periods,
      startDate: option.startDate,
      retryCount: option.retryCount,
      retryInterval: option.retryIntervalSeconds,
    },
    numbers: [],
  });
  return whole.slice(0, -"]}".length);
}

function metaOf(meta: CreateTaskRequest["option"]["numberFileMeta"]) {
  return { 号码: meta.number, 姓名: meta.name, 性别: meta.gender, 销售姓名: meta.salesPersonName };
}

/** Nothing where nothing is overridden: an empty override might make a new version of the assistant all the same. */
function overrideOf(override: CreateTaskRequest["assistantOverride"]) {
  const globalConfig = given(override?.globalConfig ?? {});
  const assistantOverride = {
    ...(Object.keys(globalConfig).length > 0 ? { globalConfig } : {}),
    ...(override?.speakerId ? { speakerId: writeInteger(override.speakerId) } : {}),
  };
  return Object.keys(assistantOverride).length > 0 ? { assistantOverride } : {};
}

function given(fields: Readonly<Record<string, string | null>>): Record<string, string | null> {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== null));
}
