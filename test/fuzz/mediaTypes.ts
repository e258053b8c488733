// The readers of a recording's Content-Type and of its first bytes.
import { declaredTypes, fileHeads } from "../corpus/mediaTypes.ts";
import {
  audioTypeOf,
  declaredKindOf,
  extensionOf,
  isMessage,
  mayBecomeAudio,
  SIGNATURE_BYTES,
} from "../../src/recordings/audioType.ts";
import { mutationsOf } from "./mutations.ts";
import type { Target } from "./target.ts";

const KINDS = ["maybeAudio", "message", "other"] as const;

export const declaredTypeTarget: Target = {
  kind: "media types",
  texts: mutationsOf(
    declaredTypes.map(({ header = "" }) => header),
    ["audio", "video", "+json", "x-", "charset=utf-8"],
  ),
  faultOf(text) {
    const kind = declaredKindOf(text);
    if (!KINDS.includes(kind)) return `is of the kind ${kind}`;
    const writings = [text.toUpperCase(), text.toLowerCase(), ` ${text} `, `${text};charset=binary`, `${text} ; a="b"`];
    const other = writings.find((each) => declaredKindOf(each) !== kind);
    // A header holds printable ASCII.
    if (other !== undefined && /^[\x20-\x7e]*$/.test(text)) return `is of another kind as ${JSON.stringify(other)}`;
    return /^audio\//i.test(text.trim()) && kind !== "maybeAudio" ? "is no audio" : null;
  },
};

export const fileHeadTarget: Target = {
  kind: "file heads",
  texts: mutationsOf(
    fileHeads.map(({ head }) => head),
    ["RIFF", "WAVE", "ftyp", "\xff\xfb", "\xef\xbb\xbf"],
  ),
  faultOf(text) {
    const bytes = Buffer.from(text, "latin1");
    const type = audioTypeOf(bytes);
    if (type !== audioTypeOf(bytes.subarray(0, SIGNATURE_BYTES))) return "depends on more than its first bytes";
    // Where the bytes alone say that it is a message, no declared type says otherwise.
    const later = KINDS.map((kind) => mayBecomeAudio(bytes, kind));
    if (type === null) return later[0] && later.includes(false) ? "may become audio, by its type alone" : null;
    if (extensionOf(type) === "bin") return `has no extension for ${type}`;
    return isMessage(bytes) ? `is taken for ${type} and for a message` : null;
  },
};
