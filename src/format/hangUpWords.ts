// Tells the text of a hang-up's side or reason from what programs write while a call goes on: a word for "none", "unknown" or "not yet".
import { meansNever } from "./noTime.ts";
import { withoutAccents } from "../util/text/plainText.ts";

/** As notes of unread fields write values that are no text (fieldReader.ts): `<object>`, `<list>`. */
const NO_TEXT = /^<\w+>$/;
const UNKNOWN = String.raw`none|null|nil|unknown|unspecified|undefined|unset|undetermined|not[ _-]?(?:set|valid|ended|disconnected|hung[ _-]?up)`;
const GOING_ON = String.raw`(?:call[ _-])?(?:in[ _-]?(?:progress|call)|on[ _-]?going|active|pending|ringing|queued|scheduled)`;
/** Alone, and behind names of fields. CLIENT_INITIATED tells who hung up. */
const INITIATED = String.raw`(?:(?:call|status|state)s?[ _-])*initiated`;
/** Only alone: the subscriber is not available is a reason. */
const ALONE = String.raw`not[ _-]?(?:available|applicable)|n[._]a|false|true|no|(?:optional_)?empty`;
/** Names of enums: HANGUP_SIDE_UNSPECIFIED, HangupSide.Unknown, UNKNOWN_REASON. */
const ENUM_NAME = String.raw`(?:[\p{L}\p{N}]+_+)*`;
const ENUM_KIND = String.raw`(?:[ _](?:reason|cause|side|party|status|state))?`;
const NO_HANG_UP = new RegExp(`^(?:${ENUM_NAME}(?:${UNKNOWN}|${GOING_ON})${ENUM_KIND}|${INITIATED}|${ALONE})$`, "iu");
const NO_HANG_UP_ASIAN =
  /^(?:未知(?:原因|方)?|不明|未指定|未定义|未设置|未設定|未挂断|未挂机|(?:通话)?未结束|进行中|通话中|呼叫中|振铃中|空|無|没有|沒有|なし|없음)$/;
/** The number of an enum's member, as Python shows it: <HangupSide.UNKNOWN: 0>, and UNKNOWN (0). */
const MEMBER = /^<(.+): -?\d+>$|^(\p{L}.*) \(-?\d+\)$/u;
/** Where a name of an enum has its parts: HangupSide.Unknown, HangupSide::Unknown, HangupSideUnknown. */
const ENUM_PARTS = /(?<=[\p{L}\p{N}])(?:\.|::)(?=[\p{L}\p{N}])|(?<=\p{Ll})(?=\p{Lu})/gu;

/** `text`: of the field, or of the note about it where it could not be read. */
export function saysHangUp(text: string): boolean {
  const plain = withoutAccents(text).replace(MEMBER, "$1$2");
  const written = plain.replaceAll(ENUM_PARTS, "_");
  // Without signs around it: %SIDE_UNKNOWN, "none".
  const word = written.replaceAll(/^[^\p{L}\p{N}]+|[^\p{L}\p{N}]+$/gu, "");
  return [plain, written, word].every(
    (each) => ![NO_TEXT, NO_HANG_UP, NO_HANG_UP_ASIAN].some((form) => form.test(each)) && !meansNever(each),
  );
}
