// What audio is known by: the type that a host says, and the bytes that a file begins with. Both must say so.

/** Said of audio, as it is found in the wild. */
const types = new Set(
  (
    "wav x-wav wave x-pn-wav vnd.wave mpeg mp3 x-mp3 mpeg3 mp4 m4a x-m4a " +
    "aac aacp x-aac ogg opus vorbis webm flac x-flac amr amr-wb basic"
  ).split(" "),
);

/** Of a Content-Type header. */
export function isAudioType(header: string): boolean {
  const [kind, name = ""] = header.split(";", 1).join("").trim().toLowerCase().split("/");
  return (kind === "audio" && types.has(name)) || (kind === "application" && name === "ogg");
}

/** As many as the longest mark needs. */
export const SIGNATURE_BYTES = 12;

interface AudioSignature {
  type: string;
  extension: string;
  fits: (head: Buffer) => boolean;
}

const text = (head: Buffer, from: number, to: number) => head.toString("latin1", from, to);

const signatures: readonly AudioSignature[] = [
  {
    type: "audio/wav",
    extension: "wav",
    fits: (head) => ["RIFF", "RF64"].includes(text(head, 0, 4)) && text(head, 8, 12) === "WAVE",
  },
  { type: "audio/mpeg", extension: "mp3", fits: (head) => text(head, 0, 3) === "ID3" || isMpegFrame(head) },
  // Also a frame, but of layer 0, which MPEG audio does not have.
  {
    type: "audio/aac",
    extension: "aac",
    fits: (head) => head.length > 1 && (head.readUInt16BE(0) & 0xfff6) === 0xfff0,
  },
  { type: "audio/ogg", extension: "ogg", fits: (head) => text(head, 0, 4) === "OggS" },
  { type: "audio/flac", extension: "flac", fits: (head) => text(head, 0, 4) === "fLaC" },
  { type: "audio/mp4", extension: "m4a", fits: (head) => text(head, 4, 8) === "ftyp" },
  { type: "audio/webm", extension: "webm", fits: (head) => head.length > 3 && head.readUInt32BE(0) === 0x1a45dfa3 },
  { type: "audio/amr", extension: "amr", fits: (head) => text(head, 0, 5) === "#!AMR" },
  { type: "audio/basic", extension: "au", fits: (head) => text(head, 0, 4) === ".snd" },
];

/** By its first bytes; null where they are not audio's. */
export function audioTypeOf(head: Buffer): string | null {
  return signatures.find(({ fits }) => fits(head))?.type ?? null;
}

/** For a file's name. */
export function extensionOf(contentType: string): string {
  return signatures.find(({ type }) => type === contentType)?.extension ?? "bin";
}

/** Eleven bits set, a version and a layer that exist, a bit rate and a sample rate that exist. */
function isMpegFrame(head: Buffer): boolean {
  if (head.length < 3) return false;
  const [first, second, third] = head as unknown as [number, number, number];
  if (first !== 0xff || (second & 0xe0) !== 0xe0) return false;
  const [version, layer] = [(second >> 3) & 3, (second >> 1) & 3];
  return version !== 1 && layer !== 0 && third >> 4 !== 15 && ((third >> 2) & 3) !== 3;
}
