// Recognises audio by the Content-Type of a response and by the signature at the beginning of the file. Both must match.

/** Subtypes of audio/ that servers use. */
const audioSubtypes = new Set(
  (
    "wav x-wav wave x-pn-wav vnd.wave mpeg mp3 x-mp3 mpeg3 mp4 m4a x-m4a " +
    "aac aacp x-aac ogg opus vorbis webm flac x-flac amr amr-wb basic"
  ).split(" "),
);

/** `header`: a Content-Type, with or without parameters. */
export function isAudioType(header: string): boolean {
  const [kind, name = ""] = header.split(";", 1).join("").trim().toLowerCase().split("/");
  return (kind === "audio" && audioSubtypes.has(name)) || (kind === "application" && name === "ogg");
}

/** Length of the longest signature. */
export const SIGNATURE_BYTES = 12;

interface AudioSignature {
  type: string;
  extension: string;
  matches: (head: Buffer) => boolean;
}

const text = (head: Buffer, from: number, to: number) => head.toString("latin1", from, to);

const signatures: readonly AudioSignature[] = [
  {
    type: "audio/wav",
    extension: "wav",
    matches: (head) => ["RIFF", "RF64"].includes(text(head, 0, 4)) && text(head, 8, 12) === "WAVE",
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
  { type: "audio/mp4", extension: "m4a", matches: (head) => text(head, 4, 8) === "ftyp" },
  { type: "audio/webm", extension: "webm", matches: (head) => head.length > 3 && head.readUInt32BE(0) === 0x1a45dfa3 },
  { type: "audio/amr", extension: "amr", matches: (head) => text(head, 0, 5) === "#!AMR" },
  { type: "audio/basic", extension: "au", matches: (head) => text(head, 0, 4) === ".snd" },
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
