import { describe, expect, it } from "vitest";
import {
  audioTypeOf,
  declaredKindOf,
  extensionOf,
  isMessage,
  mayBecomeAudio,
  SIGNATURE_BYTES,
} from "../../src/recordings/audioType.ts";
import { declaredTypes, fileHeads, filesOfNoAudio } from "../corpus/mediaTypes.ts";

describe("The Content-Type of a recording", () => {
  it.each(declaredTypes)("$header is taken for $kind", ({ header, kind }) => {
    expect(declaredKindOf(header)).toBe(kind);
  });
});

describe("The first bytes of a recording", () => {
  it.each(fileHeads)("$head are taken for $type", ({ head, type }) => {
    const bytes = Buffer.from(head, "latin1");
    expect(audioTypeOf(bytes)).toBe(type);
    if (type !== null) expect(extensionOf(type)).not.toBe("bin");
  });

  it.each(["", " \n", '{"code":1}', "<html>", "\u{feff}<?xml", '["no"]'])("%j are a message", (text) => {
    expect(isMessage(Buffer.from(text))).toBe(true);
  });

  it.each(["%PDF-1.7", "PK\x03\x04", "MZ\x90\0", "#EXTM3U", "\x89PNG\r\n", "\0\0\0\0"])("%j are no message", (text) => {
    expect(isMessage(Buffer.from(text, "latin1"))).toBe(false);
  });
});

describe("A file that is no audio", () => {
  it.each(filesOfNoAudio)("$head, declared as $header: may become audio: $mayBecome", ({ head, header, mayBecome }) => {
    const bytes = Buffer.from(head, "latin1").subarray(0, SIGNATURE_BYTES);
    expect([audioTypeOf(bytes), mayBecomeAudio(bytes, declaredKindOf(header))]).toEqual([null, mayBecome]);
  });
});
