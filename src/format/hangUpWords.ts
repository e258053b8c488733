// Tells the text of a hang-up's side or reason from what programs write while a call goes on: a word for "none", "unknown" or "not yet".
import { meansNever } from "./noTime.ts";
import { withoutAccents } from "../util/text/plainText.ts";

/** As notes of unread fields write values that are no text (fieldReader.ts): `<object>`, `<list>`. */
const NO_TEXT = /^<\w+>$/;
const UNKNOWN = String.raw`none|null|nil|unknown|unspecified|undefined|unset|undetermined|not[ _-]?(?:set|ended)`;
const GOING_ON = String.raw`in[ _-]?progress|on[ _-]?going|active|pending|ringing|queued|initiated|scheduled`;
/** Only alone: the subscriber is not available is a reason. */
const ALONE = String.raw`not[ _-]?(?:available|applicable)|false|true|no|empty`;
/** Names of enums: HANGUP_SIDE_UNSPECIFIED, HangupSide.Unknown, UNKNOWN_REASON. */
const ENUM_NAME = String.raw`(?:[\p{L}\p{N}]+_+)*`;
const ENUM_KIND = String.raw`(?:_(?:reason|cause|side|party|status|state))?`;
const NO_HANG_UP = new RegExp(`^(?:${ENUM_NAME}(?:${UNKNOWN}|${GOING_ON})${ENUM_KIND}|${ALONE})$`, "iu");
const NO_HANG_UP_CHINESE = /^(?:未知|未指定|未定义|未挂断|未挂机|未结束|进行中|通话中|呼叫中|振铃中|空)$/;
/** Python shows a member of an enum with its number: <HangupSide.UNKNOWN: 0>. */
const MEMBER = /^<(.+): -?\d+>$/;
/** Where a name of an enum has its parts: HangupSide.Unknown, HangupSide::Unknown, HangupSideUnknown. */
const ENUM_PARTS = /(?<=[\p{L}\p{N}])(?:\.|::)(?=[\p{L}\p{N}])|(?<=\p{Ll})(?=\p{Lu})/gu;

/** `text`: of the field, or of the note about it where it could not be read. */
export function saysHangUp(text: string): boolean {
  const written = withoutAccents(text).replace(MEMBER, "$1").replaceAll(ENUM_PARTS, "_");
  // Without signs around it: %SIDE_UNKNOWN, "none".
  const word = written.replaceAll(/^[^\p{L}\p{N}]+|[^\p{L}\p{N}]+$/gu, "");
  return [written, word].every(
    (each) => ![NO_TEXT, NO_HANG_UP, NO_HANG_UP_CHINESE].some((form) => form.test(each)) && !meansNever(each),
  );
}
