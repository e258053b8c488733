// Writes the body of POST /openapi/tasks (service.md, section 4.3). The service uses the name `numbers` twice: for outgoing lines
// inside of `option`, and for the people to call outside of it.
import { writeInteger } from "../format/exactJson.ts";
import type { Steps } from "../util/timeSlices.ts";
import { joinAndFree } from "../util/bodies/freeBuffer.ts";
import type { CreateTaskRequest } from "./upstream.ts";

const NUMBERS_PER_STEP = 100;

/** In small steps, so a large task does not block the event loop. Ids become JSON integers, digit by digit. Throws TypeError for an id that is not decimal. */
export function* createTaskBody({ numbers, ...rest }: CreateTaskRequest): Steps<Buffer> {
  const parts = [Buffer.from(withoutNumbers(rest))];
  for (let start = 0; start < numbers.length; start += NUMBERS_PER_STEP) {
    const step = numbers.slice(start, start + NUMBERS_PER_STEP);
    const items = step.map(({ number, extra }) => JSON.stringify({ number, ...(extra === null ? {} : { extra }) }));
    parts.push(Buffer.from((start > 0 ? "," : "") + items.join(",")));
    yield;
  }
  parts.push(Buffer.from("]}"));
  return joinAndFree(parts);
}

/** Everything before the numbers, up to the bracket that opens their list. */
function withoutNumbers({ name, assistantId, assistantOverride, option }: Omit<CreateTaskRequest, "numbers">): string {
  const whole = JSON.stringify({
    name,
    assistantId: writeInteger(assistantId),
    ...overrideOf(assistantOverride),
    option: {
      numberFileMeta: numberFileMetaOf(option.numberFileMeta),
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

function numberFileMetaOf(meta: CreateTaskRequest["option"]["numberFileMeta"]) {
  return { 号码: meta.number, 姓名: meta.name, 性别: meta.gender, 销售姓名: meta.salesPersonName };
}

/** Empty if nothing is overridden, because an empty override might still create a new version of the assistant. */
function overrideOf(override: CreateTaskRequest["assistantOverride"]) {
  const globalConfig = withoutNulls(override?.globalConfig ?? {});
  const assistantOverride = {
    ...(Object.keys(globalConfig).length > 0 ? { globalConfig } : {}),
    ...(override?.speakerId ? { speakerId: writeInteger(override.speakerId) } : {}),
  };
  return Object.keys(assistantOverride).length > 0 ? { assistantOverride } : {};
}

function withoutNulls(fields: Readonly<Record<string, string | null>>): Record<string, string | null> {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== null));
}
