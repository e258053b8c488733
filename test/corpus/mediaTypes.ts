// What hosts of recordings say of a file, and how files of audio begin. Each with the address at which it was met, or "own".

export interface DeclaredType {
  header: string | undefined;
  /** See declaredKindOf. The bytes of the file decide first. */
  kind: "maybeAudio" | "message" | "other";
  source: string;
}

const IANA = "https://www.iana.org/assignments/media-types/media-types.xhtml";
const GITHUB = "https://github.com";

export const declaredTypes: readonly DeclaredType[] = [
  { header: "audio/vnd.wave", kind: "maybeAudio", source: "https://www.rfc-editor.org/rfc/rfc2361" },
  { header: "audio/vnd.wav", kind: "maybeAudio", source: `${GITHUB}/h5bp/server-configs/pull/29` },
  { header: "audio/x-wave", kind: "maybeAudio", source: `${GITHUB}/JamesHeinrich/getID3/pull/56` },
  { header: "audio/wave", kind: "maybeAudio", source: `${GITHUB}/ua-nick/fleep-py/issues/14` },
  { header: "Audio/X-WAV; charset=binary", kind: "maybeAudio", source: `${GITHUB}/broofa/mime/issues/118` },
  { header: "audio/3gpp", kind: "maybeAudio", source: IANA },
  { header: "audio/3gpp2", kind: "maybeAudio", source: IANA },
  { header: "audio/MP4A-LATM", kind: "maybeAudio", source: IANA },
  { header: "audio/x-mpeg-3", kind: "maybeAudio", source: `${GITHUB}/Borewit/music-metadata/issues/110` },
  { header: "audio/x-caf", kind: "maybeAudio", source: `${GITHUB}/fastrepl/anarlog/pull/6271` },
  { header: "audio/silk", kind: "maybeAudio", source: "https://github.com/kn007/silk-v3-decoder" },
  { header: "video/mp4", kind: "maybeAudio", source: `${GITHUB}/kontalk/androidclient/issues/1309` },
  { header: "video/ogg", kind: "maybeAudio", source: `${GITHUB}/Borewit/music-metadata/issues/110` },
  { header: "video/3gpp", kind: "maybeAudio", source: IANA },
  { header: "application/ogg", kind: "maybeAudio", source: "https://www.rfc-editor.org/rfc/rfc5334" },
  { header: "application/mp4", kind: "maybeAudio", source: `${GITHUB}/sindresorhus/file-type/issues/147` },
  { header: "application/octet-stream", kind: "maybeAudio", source: `${GITHUB}/fastrepl/anarlog/pull/6271` },
  {
    header: "binary/octet-stream",
    kind: "maybeAudio",
    source: "https://docs.aws.amazon.com/AmazonS3/latest/API/API_PutObject.html",
  },
  { header: undefined, kind: "maybeAudio", source: "https://www.rfc-editor.org/rfc/rfc9110#section-8.3" },
  { header: "", kind: "maybeAudio", source: `${GITHUB}/telecmi/TeleCMI-Support/issues/42` },
  { header: "application/xml", kind: "message", source: `${GITHUB}/aws/aws-sdk-net/issues/1411` },
  {
    header: "application/json;charset=UTF-8",
    kind: "message",
    source: `${GITHUB}/jambonz/jambonz-api-server/pull/329`,
  },
  { header: "application/problem+json", kind: "message", source: "https://www.rfc-editor.org/rfc/rfc9457" },
  { header: "text/html; charset=utf-8", kind: "message", source: `${GITHUB}/eyeson-team/api/issues/116` },
  { header: "text/vtt", kind: "message", source: `${GITHUB}/microsoftgraph/microsoft-graph-docs/pull/21144` },
  { header: "image/png", kind: "other", source: IANA },
  { header: "application/pdf", kind: "other", source: IANA },
  { header: "application/zip", kind: "other", source: IANA },
  { header: "multipart/byteranges", kind: "other", source: "https://www.rfc-editor.org/rfc/rfc9110#section-14.6" },
  { header: "application/wav", kind: "maybeAudio", source: "own" },
  { header: "application/x-wav", kind: "maybeAudio", source: "own" },
  { header: "application/mp3", kind: "maybeAudio", source: "own" },
  { header: "application/x-mp3", kind: "maybeAudio", source: "own" },
  { header: "application/mpeg", kind: "maybeAudio", source: "own" },
  { header: "application/aac", kind: "maybeAudio", source: "own" },
  { header: "application/amr", kind: "maybeAudio", source: "own" },
  { header: "application/x-amr", kind: "maybeAudio", source: "own" },
  { header: "application/x-flac", kind: "maybeAudio", source: "own" },
  { header: "application/vnd.ms-asf", kind: "maybeAudio", source: "own" },
  { header: "application/x-ms-asf", kind: "maybeAudio", source: "own" },
  { header: "application/x-matroska", kind: "maybeAudio", source: "own" },
  { header: "application/x-caf", kind: "maybeAudio", source: "own" },
  { header: "application/unknown", kind: "maybeAudio", source: "own" },
  { header: "unknown/unknown", kind: "maybeAudio", source: "own" },
  { header: "application/octetstream", kind: "maybeAudio", source: "own" },
  { header: "application/octet", kind: "maybeAudio", source: "own" },
  { header: "application/x-msdownload", kind: "maybeAudio", source: "own" },
  { header: "application/download", kind: "maybeAudio", source: "own" },
  { header: "mp3", kind: "maybeAudio", source: "own" },
  { header: "wav", kind: "maybeAudio", source: "own" },
  { header: "octet-stream", kind: "maybeAudio", source: "own" },
  { header: "application/octet-stream, application/octet-stream", kind: "maybeAudio", source: "own" },
  { header: "audio/wav, audio/wav", kind: "maybeAudio", source: "own" },
  { header: "*/*", kind: "maybeAudio", source: "own" },
  { header: "null", kind: "maybeAudio", source: "own" },
  { header: "x-application/octet-stream", kind: "maybeAudio", source: "own" },
  { header: "content/unknown", kind: "maybeAudio", source: "own" },
  // Said of files that were audio
  { header: "text/plain;charset=utf-8", kind: "message", source: `${GITHUB}/seaweedfs/seaweedfs/issues/571` },
  { header: "text/plain", kind: "message", source: `${GITHUB}/appwrite/appwrite/issues/2233` },
  { header: "text/plain;", kind: "message", source: `${GITHUB}/ZoeyVid/NPMplus/issues/1262` },
  { header: "text/html; charset=UTF-8", kind: "message", source: `${GITHUB}/tschob/AudioPlayerManager/issues/18` },
  { header: "text/html", kind: "message", source: `${GITHUB}/devsnd/cherrymusic/issues/462` },
  { header: "audio/x-mp3", kind: "maybeAudio", source: `${GITHUB}/cesanta/mongoose/issues/397` },
  { header: "audio/x-gsm", kind: "maybeAudio", source: `${GITHUB}/asterisk/asterisk/pull/1017` },
  { header: "text/html, text/html", kind: "message", source: "own" },
  { header: "html", kind: "message", source: "own" },
  { header: "application/xhtml+xml", kind: "message", source: "own" },
  { header: "application/json, application/json", kind: "message", source: "own" },
  { header: "font/woff2", kind: "other", source: "own" },
  { header: "image/svg+xml; charset=utf-8", kind: "message", source: "own" },
  { header: "application/x-zip-compressed", kind: "other", source: "own" },
  { header: "multipart/mixed", kind: "other", source: "own" },
];

export interface FileHead {
  /** Latin-1. */
  head: string;
  /** The type by which it is served; null: no audio. */
  type: string | null;
  source: string;
}

export const fileHeads: readonly FileHead[] = [
  { head: "RIFF\x24\x08\0\0WAVE", type: "audio/wav", source: `${GITHUB}/Traperto/magic-bytes-validator/pull/168` },
  {
    head: "RIFX\0\0\x08\x24WAVE",
    type: "audio/wav",
    source: "https://www.loc.gov/preservation/digital/formats/fdd/fdd000025.shtml",
  },
  { head: "RF64\xff\xff\xff\xffWAVE", type: "audio/wav", source: "https://tech.ebu.ch/docs/tech/tech3306.pdf" },
  { head: "BW64\xff\xff\xff\xffWAVE", type: "audio/wav", source: "https://www.itu.int/rec/R-REC-BS.2088" },
  { head: "RIFF\x24\x08\0\0AVI ", type: null, source: "https://www.rfc-editor.org/rfc/rfc2361" },
  { head: "ID3\x04\0\0\0\0\0\x23TS", type: "audio/mpeg", source: `${GITHUB}/maximhq/bifrost/pull/372` },
  { head: "\xff\xf3\x44\xc4\0\0\0\0\0\0\0\0", type: "audio/mpeg", source: `${GITHUB}/maximhq/bifrost/pull/372` },
  { head: "\xff\xf1\x50\x80\0\0\0\0\0\0\0\0", type: "audio/aac", source: `${GITHUB}/juspay/neurolink/issues/431` },
  { head: "\xff\xf9\x50\x80\0\0\0\0\0\0\0\0", type: "audio/aac", source: `${GITHUB}/juspay/neurolink/issues/431` },
  { head: "OggS\0\x02\0\0\0\0\0\0", type: "audio/ogg", source: `${GITHUB}/gabriel-vasile/mimetype/pull/48` },
  { head: "fLaC\0\0\0\x22\x10\0\x10\0", type: "audio/flac", source: `${GITHUB}/juspay/neurolink/issues/431` },
  { head: "\0\0\0\x20ftypM4A ", type: "audio/mp4", source: `${GITHUB}/AJMitev/FileTypeChecker/pull/50` },
  { head: "\0\0\0\x18ftyp3gp4", type: "audio/mp4", source: "https://www.rfc-editor.org/rfc/rfc6381" },
  {
    head: "\0\0\0\x08wide\0\0\0\0",
    type: "audio/mp4",
    source: "https://developer.apple.com/documentation/quicktime-file-format",
  },
  {
    head: "\0\0\x12\x34moov\0\0\0\0",
    type: "audio/mp4",
    source: "https://developer.apple.com/documentation/quicktime-file-format",
  },
  { head: "#!AMR\n\x3c\x91\x17\x16\xbe\x66", type: "audio/amr", source: `${GITHUB}/neilharvey/FileSignatures/pull/50` },
  { head: "#!AMR-WB\n\x24\0\0", type: "audio/amr", source: "https://www.rfc-editor.org/rfc/rfc4867#section-5" },
  { head: "#!SILK_V3\x0c\0\xa7", type: "audio/silk", source: "https://github.com/kn007/silk-v3-decoder" },
  { head: "\x02#!SILK_V3\x0c\0", type: "audio/silk", source: "https://github.com/kn007/silk-v3-decoder" },
  { head: "caff\0\x01\0\0desc", type: "audio/x-caf", source: `${GITHUB}/fastrepl/anarlog/pull/6271` },
  { head: "FORM\0\0\x10\0AIFF", type: "audio/aiff", source: `${GITHUB}/maximhq/bifrost/pull/372` },
  { head: "FORM\0\0\x10\0AIFC", type: "audio/aiff", source: `${GITHUB}/maximhq/bifrost/pull/372` },
  {
    head: "FORM\0\0\x10\0ILBM",
    type: null,
    source: "https://www.loc.gov/preservation/digital/formats/fdd/fdd000338.shtml",
  },
  {
    head: "0&\xb2u\x8ef\xcf\x11\xa6\xd9\0\xaa",
    type: "audio/x-ms-wma",
    source: `${GITHUB}/Borewit/music-metadata/issues/110`,
  },
  { head: ".snd\0\0\0\x18\0\0\0\0", type: "audio/basic", source: IANA },
  {
    head: "\x1a\x45\xdf\xa3\x01\0\0\0\0\0\0\x1f",
    type: "audio/webm",
    source: "https://www.rfc-editor.org/rfc/rfc8794",
  },
  { head: "%PDF-1.7\n%\xe2\xe3", type: null, source: IANA },
  { head: "PK\x03\x04\x14\0\0\0\x08\0\0\0", type: null, source: IANA },
  { head: '{"status":"p', type: null, source: `${GITHUB}/PipedreamHQ/pipedream/pull/21559` },
  { head: "<?xml versio", type: null, source: `${GITHUB}/aws/aws-sdk-net/issues/1411` },
  { head: "#EXTM3U\n#EXT", type: null, source: "https://www.rfc-editor.org/rfc/rfc8216" },
  // Texts that begin as audio does
  { head: '\xff\xfe{\0"\0c\0o\0d\0', type: null, source: `${GITHUB}/sindresorhus/file-type/issues/795` },
  { head: "\xff\xfea\0,\0b\0,\0c\0", type: null, source: `${GITHUB}/cdgriffith/puremagic/issues/134` },
  { head: "\xff\xfe[\0.\0S\0h\0e\0", type: null, source: `${GITHUB}/mmalecot/file-format/issues/36` },
  { head: "\xff\xfe", type: null, source: `${GITHUB}/sindresorhus/file-type/issues/795` },
  { head: "ID3 is easy ", type: null, source: `${GITHUB}/whatwg/mimesniff/issues/69` },
  { head: ".snd file ex", type: null, source: `${GITHUB}/whatwg/mimesniff/issues/69` },
];

/** Files that are no audio. `mayBecome`: a later answer may be audio. */
export const filesOfNoAudio: readonly { head: string; header: string; mayBecome: boolean; source: string }[] = [
  {
    head: "<TwilioResponse>",
    header: "audio/x-wav",
    mayBecome: true,
    source: `${GITHUB}/slco-2016/clientcomm/issues/208`,
  },
  { head: '{"status":"p', header: "audio/mpeg", mayBecome: true, source: `${GITHUB}/PipedreamHQ/pipedream/pull/21559` },
  { head: '{"status":"p', header: "image/png", mayBecome: true, source: "own" },
  { head: "Recording not ready", header: "text/plain", mayBecome: true, source: "own" },
  {
    head: "\xe5\xbd\x95\xe9\x9f\xb3\xe7\x94\x9f\xe6\x88\x90",
    header: "text/plain; charset=utf-8",
    mayBecome: true,
    source: "own",
  },
  { head: "", header: "application/octet-stream", mayBecome: true, source: "own" },
  {
    head: '\xff\xfe{\0"\0c\0o\0d\0',
    header: "application/octet-stream",
    mayBecome: true,
    source: `${GITHUB}/sindresorhus/file-type/issues/795`,
  },
  { head: "\xfe\xff\0<\0?\0x\0m\0", header: "audio/wav", mayBecome: true, source: "own" },
  { head: "\xff\xfeN\0o\0t\0", header: "text/plain", mayBecome: true, source: "own" },
  { head: "Recording not ready", header: "audio/wav", mayBecome: false, source: "own" },
  { head: "%PDF-1.7\n%\xe2\xe3", header: "text/plain", mayBecome: false, source: "own" },
  { head: "#EXTM3U\n#EXT", header: "text/plain", mayBecome: false, source: "https://www.rfc-editor.org/rfc/rfc8216" },
  { head: "[playlist]\nF", header: "text/plain", mayBecome: false, source: "own" },
  {
    head: "WEBVTT\n\n00:",
    header: "text/vtt",
    mayBecome: false,
    source: `${GITHUB}/microsoftgraph/microsoft-graph-docs/pull/21144`,
  },
  { head: "{\\rtf1\\ansi", header: "text/rtf", mayBecome: false, source: "own" },
  { head: "PK\x03\x04\x14\0\0\0\x08\0\0\0", header: "text/plain", mayBecome: false, source: "own" },
  { head: "\x89PNG\r\n\x1a\n\0\0\0\r", header: "text/html", mayBecome: false, source: "own" },
  { head: "\x7fELF\x02\x01\x01\0\0\0\0\0", header: "text/plain", mayBecome: false, source: "own" },
  { head: "\xd5\xd5\x55\xd4\x54\x01\xd5", header: "text/plain", mayBecome: false, source: "own" },
];
