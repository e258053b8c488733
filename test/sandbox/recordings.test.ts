import { describe, expect, it } from "vitest";
import { until } from "../support/until.ts";
import { openReceiver, openSandbox } from "./support.ts";

async function openWithRecording({
  talkTime = 2,
  ...options
}: { talkTime?: number; recordingTtlS?: number; now?: () => number } = {}) {
  const receiver = await openReceiver();
  const service = await openSandbox({ webhook: { url: receiver.url, authorization: "x" }, ...options });
  service.sandbox.control.endCall({ sessionId: "s1", talkTime });
  const url = String((await until(() => receiver.received[0])).data.record_url);
  await receiver[Symbol.asyncDispose]();
  return { service, url };
}

/** Hz of each tenth of a second that has a voice: the shift by which it resembles itself most. */
function voicedPitches(samples: Uint8Array): number[] {
  const part = 800;
  return Array.from({ length: Math.floor(samples.length / part) - 1 }, (_, index) => {
    const likeness = (shift: number) =>
      samples
        .subarray(index * part, index * part + part)
        .reduce((sum, sample, at) => sum + (sample - 128) * ((samples[index * part + at + shift] ?? 128) - 128), 0);
    const energy = likeness(0);
    const shifts = Array.from({ length: 75 }, (_, at) => at + 30);
    const best = shifts.reduce((most, shift) => (likeness(shift) > likeness(most) ? shift : most));
    return energy > 100_000 && likeness(best) > energy / 2 ? 8000 / best : 0;
  }).filter((hz) => hz > 0);
}

describe("the recording of an answered call", () => {
  it("is a WAV of 8 kHz, mono, 8 bit, as long as the call was talked, and the same each time", async () => {
    const { service, url } = await openWithRecording({ talkTime: 37 });
    await using _service = service;
    const response = await fetch(url);
    expect([response.status, response.headers.get("content-type")]).toEqual([200, "audio/wav"]);
    const wav = Buffer.from(await response.arrayBuffer());
    expect(wav.toString("ascii", 0, 4)).toBe("RIFF");
    expect(wav.readUInt32LE(4)).toBe(wav.length - 8);
    expect(wav.toString("ascii", 8, 16)).toBe("WAVEfmt ");
    expect([wav.readUInt16LE(20), wav.readUInt16LE(22), wav.readUInt32LE(24), wav.readUInt16LE(34)]).toEqual([
      1, 1, 8000, 8,
    ]);
    expect(wav.readUInt32LE(40)).toBe(wav.length - 44);
    expect((wav.length - 44) / 8000).toBe(37);
    expect(Buffer.from(await (await fetch(url)).arrayBuffer()).equals(wav)).toBe(true);
  });

  it("fades each sound out before a pause, without a click", async () => {
    const { service, url } = await openWithRecording({ talkTime: 30 });
    await using _service = service;
    const samples = new Uint8Array(await (await fetch(url)).arrayBuffer()).subarray(44);
    const beginsPause = (at: number) => samples.subarray(at, at + 80).every((sample) => sample === 128);
    const last = [...samples.keys()].filter((at) => samples[at - 1] !== 128 && beginsPause(at)).slice(1);
    expect(last.length).toBeGreaterThan(10);
    expect(Math.max(...last.map((at) => Math.abs((samples[at - 1] ?? 0) - 128)))).toBeLessThan(4);
  });

  it("sounds like two people in turn: sentences with pauses between them, at two pitches", async () => {
    const { service, url } = await openWithRecording({ talkTime: 60 });
    await using _service = service;
    const samples = new Uint8Array(await (await fetch(url)).arrayBuffer()).subarray(44);
    const loudness = Array.from({ length: samples.length / 80 }, (_, at) =>
      samples.subarray(at * 80, at * 80 + 80).reduce((most, sample) => Math.max(most, Math.abs(sample - 128)), 0),
    );
    const silent = loudness.filter((most) => most === 0).length / loudness.length;
    expect(silent).toBeGreaterThan(0.1);
    expect(silent).toBeLessThan(0.6);
    expect(Math.max(...loudness)).toBeGreaterThan(80);
    const pitches = voicedPitches(samples);
    expect(pitches.some((hz) => hz > 80 && hz < 135)).toBe(true);
    expect(pitches.some((hz) => hz > 170 && hz < 240)).toBe(true);
  });

  it("ends after an hour", async () => {
    const { service, url } = await openWithRecording({ talkTime: 86_400 });
    await using _service = service;
    expect((await fetch(url, { method: "HEAD" })).headers.get("content-length")).toBe(String(44 + 3600 * 8000));
    expect((await fetch(url.replace("seconds=3600", "seconds=9"))).status).toBe(403);
  });

  it("has the same bytes in the list, at a path on the base address", async () => {
    const { service, url } = await openWithRecording();
    await using _service = service;
    const path = String((await service.list()).items[0]?.recordFile);
    expect(path).toMatch(/^\/recordings\/s1\.wav\?/);
    const [fromList, fromEvent] = await Promise.all([fetch(service.sandbox.url + path), fetch(url)]);
    expect(await fromList.bytes()).toEqual(await fromEvent.bytes());
  });

  it("is served in ranges, and as headers alone", async () => {
    const { service, url } = await openWithRecording();
    await using _service = service;
    const whole = await (await fetch(url)).bytes();
    const part = await fetch(url, { headers: { range: "bytes=4-9" } });
    expect([part.status, part.headers.get("content-range")]).toEqual([206, `bytes 4-9/${whole.length}`]);
    expect(await part.bytes()).toEqual(whole.subarray(4, 10));
    const end = await fetch(url, { headers: { range: "bytes=-3" } });
    expect(await end.bytes()).toEqual(whole.subarray(-3));
    expect((await fetch(url, { headers: { range: "bytes=999999-" } })).status).toBe(416);
    const head = await fetch(url, { method: "HEAD" });
    expect([head.status, head.headers.get("content-length"), await head.text()]).toEqual([
      200,
      String(whole.length),
      "",
    ]);
    expect((await fetch(url, { method: "POST" })).status).toBe(405);
  });
});

describe("the URL of a recording", () => {
  it("is refused with another signature, another session, or none", async () => {
    const { service, url } = await openWithRecording();
    await using _service = service;
    expect((await fetch(url.replace(/.$/, (last) => (last === "0" ? "1" : "0")))).status).toBe(403);
    expect((await fetch(url.replace("s1.wav", "s2.wav"))).status).toBe(403);
    expect((await fetch(url.replace(/expires=\d+/, "expires=99999999999"))).status).toBe(403);
    expect((await fetch(url.replace(/\?.*/, ""))).status).toBe(403);
    expect((await fetch(`${service.sandbox.url}/recordings/`)).status).toBe(404);
  });

  it("expires after its lifetime in real time", async () => {
    let now = Date.now();
    const { service, url } = await openWithRecording({ recordingTtlS: 60, now: () => now });
    await using _service = service;
    now += 58_000;
    expect((await fetch(url)).status).toBe(200);
    now += 2000;
    expect((await fetch(url)).status).toBe(410);
  });
});
