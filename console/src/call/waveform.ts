// wavesurfer.js for the player. Its style stands here as a sheet: the policy of the page refuses styles inside of the page.
import WaveSurfer from "wavesurfer.js";
import { colorOf } from "../ui/colorOf.ts";

export interface Waveform {
  toggle(): void;
  seekBy(seconds: number): void;
  setSpeed(speed: number): void;
  close(): void;
}

export interface WaveformEvents {
  /** In seconds. */
  onPosition: (position: { at: number; of: number; isPlaying: boolean }) => void;
  onFailure: () => void;
}

const HEIGHT = 64;
const STYLE = `
:host { user-select: none; min-width: 1px; }
.scroll { overflow-x: auto; overflow-y: hidden; width: 100%; position: relative; }
.noScrollbar { scrollbar-color: transparent; scrollbar-width: none; }
.wrapper { position: relative; overflow: visible; z-index: 2; }
.canvases { min-height: ${HEIGHT}px; pointer-events: none; }
.canvases > div { position: relative; }
canvas { display: block; position: absolute; top: 0; image-rendering: pixelated; }
.progress { pointer-events: none; position: absolute; z-index: 2; top: 0; left: 0; width: 0; height: 100%; overflow: hidden; }
.progress > div { position: relative; }
.cursor { pointer-events: none; position: absolute; z-index: 5; top: 0; left: 0; height: 100%; border-radius: 2px; }
`;

export function openWaveform(element: HTMLElement, url: string, { onPosition, onFailure }: WaveformEvents): Waveform {
  const wave = WaveSurfer.create({
    container: element,
    height: HEIGHT,
    url,
    barWidth: 2,
    barGap: 1,
    barRadius: 1,
    cursorWidth: 1,
    normalize: true,
    dragToSeek: true,
    waveColor: colorOf(element, "--border-control"),
    progressColor: colorOf(element, "--accent"),
    cursorColor: colorOf(element, "--accent"),
  });
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(STYLE);
  const shadow = wave.getWrapper().getRootNode();
  if (shadow instanceof ShadowRoot) shadow.adoptedStyleSheets = [sheet];

  let isClosed = false;
  const report = () => onPosition({ at: wave.getCurrentTime(), of: wave.getDuration(), isPlaying: wave.isPlaying() });
  for (const event of ["ready", "timeupdate", "seeking", "play", "pause", "finish"] as const) wave.on(event, report);
  wave.on("error", () => {
    if (!isClosed) onFailure();
  });
  return {
    toggle: () => void wave.playPause().catch(() => undefined),
    seekBy(seconds) {
      // setTime() of wavesurfer.js keeps a second seek for later while the first one runs, and loses it when the first one's
      // "seeking" event comes. The media element itself takes a seek at any time.
      const media = wave.getMediaElement();
      if (media) media.currentTime = Math.min(wave.getDuration(), Math.max(0, media.currentTime + seconds));
    },
    setSpeed: (speed) => wave.setPlaybackRate(speed, true),
    close() {
      isClosed = true;
      wave.destroy();
    },
  };
}
