// How far an import is: a bar that is drawn again in a terminal, and a line now and then elsewhere.
import { terminalLine } from "../../util/logging/terminalText.ts";

export interface Progress {
  /** From 0 to 1. */
  progress: number;
  windows: number;
  calls: number;
  secondsLeft: number | null;
  problem: string | null;
}

export interface ProgressLine {
  show(progress: Progress): void;
  /** A sentence on a line of its own. */
  tell(text: string): void;
  /** Leaves the bar as it is. May be called twice. */
  end(): void;
}

const WIDTH = 30;
/** Without a terminal: a line for each tenth. */
const STEPS = 10;
/** To the beginning of the line, and erase it. */
const REDRAW = "\r\u001b[K";

export function createProgressLine(output: Pick<NodeJS.WriteStream, "write" | "isTTY">): ProgressLine {
  let isDrawn = false;
  let step = -1;
  let problem: string | null = null;
  const end = () => {
    if (isDrawn) output.write("\n");
    isDrawn = false;
  };
  const tell = (text: string) => {
    end();
    output.write(`${terminalLine(text)}\n`);
  };
  return {
    tell,
    end,
    show(now) {
      if (now.problem !== null && now.problem !== problem) tell(`It waits: ${now.problem}`);
      problem = now.problem;
      const text = textOf(now);
      if (output.isTTY) {
        const done = Math.round(now.progress * WIDTH);
        output.write(`${REDRAW}[${"#".repeat(done)}${".".repeat(WIDTH - done)}] ${text}`);
        isDrawn = true;
        return;
      }
      const reached = Math.floor(now.progress * STEPS);
      if (reached > step) output.write(`${text}\n`);
      step = Math.max(step, reached);
    },
  };
}

function textOf({ progress, windows, calls, secondsLeft }: Progress): string {
  const left = secondsLeft === null ? "" : `, ${durationText(secondsLeft)} left`;
  return `${Math.floor(progress * 100)} %, ${windows} windows, ${calls} calls${left}`;
}

function durationText(seconds: number): string {
  if (seconds < 60) return `${seconds} s`;
  const minutes = Math.round(seconds / 60);
  return minutes < 60 ? `${minutes} min` : `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
}
