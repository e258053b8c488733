// Plays a recording with its waveform. Loaded when the first recording is shown.
import { Download, Pause, Play } from "lucide-react";
import { useEffect, useRef, useState, type KeyboardEvent } from "react";
import { useCallTexts } from "./callTexts.ts";
import { useLocale } from "../locale/Locale.tsx";
import { Button } from "../ui/Button.tsx";
import { openWaveform, type Waveform } from "./waveform.ts";
import styles from "./call.module.css";

const SPEEDS = [0.75, 1, 1.25, 1.5, 2];
const STEP_S = 5;

export function Player({ url, onExpired }: { url: string; onExpired: () => void }) {
  const own = useCallTexts();
  const { t, format, preferences } = useLocale();
  const holder = useRef<HTMLDivElement>(null);
  const waveform = useRef<Waveform | null>(null);
  const [position, setPosition] = useState({ at: 0, of: 0, isPlaying: false });
  const [speed, setSpeed] = useState(1);
  const [hasFailed, setFailed] = useState(false);
  const address = useRef(url);

  // The address is signed anew with each answer; the recording is the same one.
  useEffect(() => {
    const element = holder.current;
    if (!element) return undefined;
    const opened = openWaveform(element, address.current, {
      onPosition: setPosition,
      onFailure: () => setFailed(true),
    });
    waveform.current = opened;
    return () => opened.close();
  }, [preferences.theme]);
  useEffect(() => waveform.current?.setSpeed(speed), [speed]);

  function press(event: KeyboardEvent): void {
    const by = { ArrowLeft: -STEP_S, ArrowRight: STEP_S }[event.key];
    const isToggle = event.key === " " && event.target === event.currentTarget;
    if (by === undefined && !isToggle) return;
    event.preventDefault();
    if (by !== undefined) waveform.current?.seekBy(by);
    else waveform.current?.toggle();
  }
  if (hasFailed) {
    return (
      <p className={styles["none"]}>
        {own.recordingFailed} <Button onClick={onExpired}>{t.errors.retry}</Button>
      </p>
    );
  }
  const { at, of, isPlaying } = position;
  const time = `${format.duration(at * 1000)} / ${format.duration(of * 1000)}`;
  return (
    <div className={styles["player"]}>
      <div
        ref={holder}
        className={styles["wave"]}
        role="slider"
        tabIndex={0}
        aria-label={own.position}
        aria-valuemin={0}
        aria-valuemax={Math.round(of)}
        aria-valuenow={Math.round(at)}
        aria-valuetext={time}
        onKeyDown={press}
      />
      <div className={styles["controls"]}>
        <Button kind="icon" aria-label={isPlaying ? own.pause : own.play} onClick={() => waveform.current?.toggle()}>
          {isPlaying ? <Pause size={16} aria-hidden="true" /> : <Play size={16} aria-hidden="true" />}
        </Button>
        <span className={styles["position"]}>{time}</span>
        <select
          aria-label={own.speed}
          value={speed}
          onChange={({ target }) => setSpeed(Number(target.value))}
          className={styles["speed"]}
        >
          {SPEEDS.map((each) => (
            <option key={each} value={each}>
              {format.number(each)} ×
            </option>
          ))}
        </select>
        <a href={url} download className={styles["download"]} aria-label={own.download} title={own.download}>
          <Download size={16} aria-hidden="true" />
        </a>
      </div>
    </div>
  );
}
