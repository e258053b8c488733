// Sound like a telephone conversation: two voices in turn, with syllables, pauses and falling sentences, but no words. The same name and
// length give the same sound.
import { createRandom, type Random } from "../random.ts";

export const SAMPLE_RATE = 8000;
/** The middle of the range of 8-bit samples. */
const SILENCE = 128;

interface Voice {
  /** Hz of the lowest of its three pitches. */
  pitch: number;
  /** How short the throat is: formants lie higher by this. */
  throat: number;
}
const ASSISTANT: Voice = { pitch: 195, throat: 1.15 };
const CUSTOMER: Voice = { pitch: 108, throat: 1 };
const VOICES = [ASSISTANT, CUSTOMER] as const;

/** Hz of the two lowest formants of a vowel: a, e, i, o, u and a central one. */
const VOWELS: readonly (readonly [number, number])[] = [
  [750, 1200],
  [500, 1750],
  [300, 2200],
  [480, 880],
  [330, 760],
  [520, 1400],
];
/** Pitches of a sentence fall through these. */
const PITCHES = [1.18, 1.08, 0.98] as const;
const SYLLABLE_S = { min: 0.11, max: 0.24 };

/** The syllables of a voice: a list for each of its pitches. */
type Syllables = readonly (readonly Uint8Array[])[];

/** Makes the samples of a conversation, 8 bits each. The syllables are made at the first call and then copied. */
export function createSpeech(): (name: string, seconds: number) => Buffer {
  let voices: readonly Syllables[] | null = null;
  return (name, seconds) => {
    voices ??= VOICES.map(createSyllables);
    return createConversation(createRandom("conversation", name, seconds), seconds, voices);
  };
}

function createConversation(random: Random, seconds: number, voices: readonly Syllables[]): Buffer {
  const samples = Buffer.alloc(Math.round(seconds * SAMPLE_RATE), SILENCE);
  const pause = (min: number, max: number) => Math.round((min + random.next() * (max - min)) * SAMPLE_RATE);
  let at = pause(0.15, 0.4);
  for (let turn = 0; at < samples.length; turn += 1) {
    const voice = voices[turn % voices.length] as Syllables;
    // The assistant says more than its customer.
    const sentences = turn % 2 === 0 ? random.int(1, 3) : random.int(1, 2);
    for (let sentence = 0; sentence < sentences && at < samples.length; sentence += 1) {
      at = addSentence(samples, at, { voice, random }) + pause(0.2, 0.5);
    }
    at += pause(0.3, 0.9);
  }
  return samples;
}

/** Returns where the sentence ends. What does not fit is cut off. */
function addSentence(samples: Buffer, from: number, { voice, random }: { voice: Syllables; random: Random }): number {
  const syllables = random.int(4, 14);
  let at = from;
  for (let count = 0; count < syllables && at < samples.length; count += 1) {
    const pitch = Math.min(PITCHES.length - 1, Math.floor((count / syllables) * PITCHES.length));
    const syllable = random.pick(voice[pitch] ?? []);
    samples.set(syllable.subarray(0, samples.length - at), at);
    // Between words there is a short gap.
    at += syllable.length + (random.chance(0.35) ? Math.round(0.05 * SAMPLE_RATE) : 0);
  }
  return at;
}

const createSyllables = (voice: Voice): Syllables =>
  PITCHES.map((factor) => {
    const random = createRandom("syllables", voice.pitch, factor);
    return VOWELS.flatMap((vowel) =>
      [true, false].map((hisses) => createSyllable({ voice, vowel, hisses, hz: voice.pitch * factor, random })),
    );
  });

/** A vowel: pulses of the vocal cords through two resonances, perhaps after a hiss as of an s. */
function createSyllable(sound: {
  voice: Voice;
  vowel: readonly [number, number];
  hisses: boolean;
  hz: number;
  random: Random;
}): Uint8Array {
  const { voice, vowel, hisses, hz, random } = sound;
  const length = Math.round((SYLLABLE_S.min + random.next() * (SYLLABLE_S.max - SYLLABLE_S.min)) * SAMPLE_RATE);
  const hissLength = hisses ? Math.round(0.06 * SAMPLE_RATE) : 0;
  const [first, second] = [createResonance(vowel[0] * voice.throat), createResonance(vowel[1] * voice.throat)];
  const wave = new Float64Array(hissLength + length);
  for (let at = 0; at < hissLength; at += 1)
    wave[at] = (random.next() - 0.5) * 0.25 * Math.sin((Math.PI * at) / hissLength);
  for (let at = 0; at < length; at += 1) {
    const place = at / length;
    // The pitch falls a little in each syllable.
    const phase = (at * hz * (1 - 0.04 * place)) / SAMPLE_RATE;
    const pulse = 1 - 2 * (phase % 1);
    const loudness = Math.min(1, place * 8, (1 - place) * 4);
    wave[hissLength + at] = loudness * (first(pulse) + second(pulse) / 2);
  }
  const loudest = wave.reduce((most, value) => Math.max(most, Math.abs(value)), 0);
  return Uint8Array.from(wave, (value) => SILENCE + Math.round((90 * value) / loudest));
}

/** A filter that lets frequencies around `hz` through. */
function createResonance(hz: number): (input: number) => number {
  const radius = Math.exp((-Math.PI * 110) / SAMPLE_RATE);
  const turn = 2 * radius * Math.cos((2 * Math.PI * hz) / SAMPLE_RATE);
  let [last, before] = [0, 0];
  return (input) => {
    [before, last] = [last, (1 - radius) * input + turn * last - radius * radius * before];
    return last;
  };
}
