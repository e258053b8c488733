// Recognises audio by the first bytes of a file. The Content-Type must only not be that of a text, a picture or the like: there are many
// names for one format, and stores know none (test/corpus/mediaTypes.ts).

/**
 * What a host says that a file is. `maybeAudio`: the first bytes decide. `message`: a text, which may say that the file is not ready.
 * `other`: a file that is no audio.
 */
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
  return /^(\u{feff}|ï»¿)?\s*([<{["]|$)/u.test(head.toString("latin1"));
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
  { type: "audio/mpeg", extension: "mp3", matches: (head) => text(head, 0, 3) === "ID3" || isMpegFrame(head) },
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
  { type: "audio/basic", extension: "au", matches: (head) => text(head, 0, 4) === ".snd" },
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

/** Eleven bits set, then a valid version, layer, bit rate and sample rate. */
function isMpegFrame(head: Buffer): boolean {
  if (head.length < 3) return false;
  const [first, second, third] = head as unknown as [number, number, number];
  if (first !== 0xff || (second & 0xe0) !== 0xe0) return false;
  const [version, layer] = [(second >> 3) & 3, (second >> 1) & 3];
  return version !== 1 && layer !== 0 && third >> 4 !== 15 && ((third >> 2) & 3) !== 3;
}
