// Tells the text of a hang-up's side or reason from what programs write while a call goes on: a word for "none", "unknown" or "not yet".
import { meansNever } from "./noTime.ts";

/** As notes of unread fields write values that are no text (fieldReader.ts): `<object>`, `<list>`. */
const NO_TEXT = /^<\w+>$/;
const WORDS = String.raw`none|null|nil|unknown|unspecified|undefined|unset|undetermined|not[ _-]?(?:set|available|applicable|ended)|false|true|no|empty`;
const GOING_ON = String.raw`in[ _-]?progress|on[ _-]?going|active|pending|ringing|queued|initiated|scheduled`;
/** Enums of Protocol Buffers begin with their own name: HANGUP_SIDE_UNSPECIFIED, RELEASE_CAUSE_UNKNOWN. */
const ENUM_NAME = String.raw`(?:[a-z\d]+_)*`;
const NO_HANG_UP = new RegExp(`^${ENUM_NAME}(?:${WORDS}|${GOING_ON})$`, "i");
const NO_HANG_UP_CHINESE = /^(?:未知|未指定|未定义|未挂断|未挂机|未结束|进行中|通话中|呼叫中|振铃中|空)$/;

/** `text`: of the field, or of the note about it where it could not be read. */
export function saysHangUp(text: string): boolean {
  const written = text.trim();
  // Without signs around it: %SIDE_UNKNOWN, "none".
  const word = written.replaceAll(/^[^\p{L}\p{N}]+|[^\p{L}\p{N}]+$/gu, "");
  return [written, word].every(
    (each) => ![NO_TEXT, NO_HANG_UP, NO_HANG_UP_CHINESE].some((form) => form.test(each)) && !meansNever(each),
  );
}
