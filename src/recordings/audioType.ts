// Recognises audio by the first bytes of a file, whatever its Content-Type: hosts name audio as text or as nothing, and there are many names
// for one format (test/corpus/mediaTypes.ts). The Content-Type helps to tell whether a file that is no audio may become some.

/** What a host says that a file is. `message`: a text, which may say that the file is not ready. `other`: a file that is no audio. */
export type DeclaredKind = "maybeAudio" | "message" | "other";

const MESSAGE = /^text\b|^(.*[/+])?(json|xml|html)$|^(.*\/)?xhtml/;
const OTHER = /^(image|font|model|multipart|message)\/|^application\/(x-)?(pdf|zip|zip-compressed)$/;

/** `header`: a Content-Type, with or without parameters, also sent twice. Undefined: the host names no type. */
export function declaredKindOf(header: string | undefined): DeclaredKind {
  const type = (header ?? "").split(/[;,]/, 1).join("").trim().toLowerCase();
  if (/^(audio|video)\//.test(type)) return "maybeAudio";
  if (MESSAGE.test(type)) return "message";
  return OTHER.test(type) ? "other" : "maybeAudio";
}

/** Whether the beginning of a file looks like a page or a message, and not like a file of another kind. */
export function isMessage(head: Buffer): boolean {
  return /^(\u{feff}|ï»¿)?\s*([<{["]|$)/u.test(textOf(head));
}

/** Files of other kinds that begin as a text does: documents, playlists, pictures, scripts. */
const OTHER_TEXT = /^(%PDF|%!PS|\{\\rtf|#EXTM3U|\[playlist\]|GIF8|WEBVTT|#!)/;
/** Control characters of ASCII other than white space. */
const NO_TEXT = /[^\P{Cc}\s\u0080-\u009f]/u;

/** Whether a file that is no audio may become some: it says something now, and is no file of another kind. */
export function mayBecomeAudio(head: Buffer, declared: DeclaredKind): boolean {
  const text = textOf(head);
  if (OTHER_TEXT.test(text)) return false;
  return isMessage(head) || (declared === "message" && !NO_TEXT.test(text));
}

/** In Latin-1, or without the zeros of UTF-16. */
function textOf(head: Buffer): string {
  if (!isUtf16(head)) return head.toString("latin1");
  return head.subarray(2).toString("latin1").replaceAll("\0", "");
}

/** A byte order mark, and text whose letters are of Latin-1. FF FE is also how a frame of MPEG layer I may begin. */
function isUtf16(head: Buffer): boolean {
  const zerosAt = head[0] === 0xff && head[1] === 0xfe ? 1 : head[0] === 0xfe && head[1] === 0xff ? 0 : null;
  return zerosAt !== null && head.subarray(2, SIGNATURE_BYTES).every((byte, at) => at % 2 !== zerosAt || byte === 0);
}

/** Length of the longest signature. */
export const SIGNATURE_BYTES = 12;

interface AudioSignature {
  type: string;
  extension: string;
  matches: (head: Buffer) => boolean;
}

const MP4_ATOMS = ["ftyp", "moov", "mdat", "wide", "free", "skip"];

const text = (head: Buffer, from: number, to: number) => head.toString("latin1", from, to);

const signatures: readonly AudioSignature[] = [
  {
    type: "audio/wav",
    extension: "wav",
    matches: (head) => ["RIFF", "RIFX", "RF64", "BW64"].includes(text(head, 0, 4)) && text(head, 8, 12) === "WAVE",
  },
  { type: "audio/mpeg", extension: "mp3", matches: (head) => isId3(head) || isMpegFrame(head) },
  // An ADTS frame is like an MPEG frame with layer 0, which MPEG audio does not have.
  {
    type: "audio/aac",
    extension: "aac",
    matches: (head) => head.length > 1 && (head.readUInt16BE(0) & 0xfff6) === 0xfff0,
  },
  { type: "audio/ogg", extension: "ogg", matches: (head) => text(head, 0, 4) === "OggS" },
  { type: "audio/flac", extension: "flac", matches: (head) => text(head, 0, 4) === "fLaC" },
  // Files of QuickTime may begin with another atom.
  { type: "audio/mp4", extension: "m4a", matches: (head) => MP4_ATOMS.includes(text(head, 4, 8)) && !isMessage(head) },
  { type: "audio/webm", extension: "webm", matches: (head) => head.length > 3 && head.readUInt32BE(0) === 0x1a45dfa3 },
  { type: "audio/amr", extension: "amr", matches: (head) => text(head, 0, 5) === "#!AMR" },
  { type: "audio/basic", extension: "au", matches: (head) => text(head, 0, 5) === ".snd\0" },
  {
    type: "audio/aiff",
    extension: "aiff",
    matches: (head) => text(head, 0, 4) === "FORM" && ["AIFF", "AIFC"].includes(text(head, 8, 12)),
  },
  { type: "audio/x-caf", extension: "caf", matches: (head) => text(head, 0, 4) === "caff" },
  { type: "audio/x-ms-wma", extension: "wma", matches: (head) => text(head, 0, 4) === "0&\xb2u" },
  // WeChat and QQ put a byte before it.
  {
    type: "audio/silk",
    extension: "slk",
    matches: (head) => text(head, head[0] === 2 ? 1 : 0, 7).startsWith("#!SILK"),
  },
];

/** The content type by the first bytes of a file; null if they are no known audio. */
export function audioTypeOf(head: Buffer): string | null {
  return signatures.find(({ matches }) => matches(head))?.type ?? null;
}

/** The file name extension for a content type of `audioTypeOf`. */
export function extensionOf(contentType: string): string {
  return signatures.find(({ type }) => type === contentType)?.extension ?? "bin";
}

/** The major version follows, and no letter of a text. */
const isId3 = (head: Buffer) => text(head, 0, 3) === "ID3" && (head[3] ?? 0x20) < 0x20;

/** Eleven bits set, then a valid version, layer, bit rate and sample rate. */
function isMpegFrame(head: Buffer): boolean {
  if (head.length < 3 || isUtf16(head)) return false;
  const [first, second, third] = head as unknown as [number, number, number];
  if (first !== 0xff || (second & 0xe0) !== 0xe0) return false;
  const [version, layer] = [(second >> 3) & 3, (second >> 1) & 3];
  return version !== 1 && layer !== 0 && third >> 4 !== 15 && ((third >> 2) & 3) !== 3;
}
