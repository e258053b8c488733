// Runs one action at a time, and keeps what came of the last one.
import { useState } from "react";
import { codeOf } from "../privacy/codeOf.ts";

export interface Action<Done> {
  isBusy: boolean;
  done: Done | null;
  /** The code of the error with which it failed. */
  code: string | null;
  run: (action: () => Promise<Done>) => Promise<void>;
}

export function useAction<Done>(): Action<Done> {
  const [isBusy, setBusy] = useState(false);
  const [done, setDone] = useState<Done | null>(null);
  const [code, setCode] = useState<string | null>(null);
  async function run(action: () => Promise<Done>): Promise<void> {
    setBusy(true);
    setDone(null);
    setCode(null);
    try {
      setDone(await action());
    } catch (error) {
      setCode(codeOf(error));
    }
    setBusy(false);
  }
  return { isBusy, done, code, run };
}
