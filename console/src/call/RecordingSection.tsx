import { useEffect } from "react";
import { useCallTexts } from "./callTexts.ts";
import { useSession } from "../session/SessionProvider.tsx";
import { Section } from "../ui/drawer/Facts.tsx";
import { lazyPart } from "../ui/lazyPart.tsx";
import type { Call } from "./useCall.ts";
import styles from "./call.module.css";

const Player = lazyPart(() => import("./Player.tsx"), "Player");
const LOOK_MS = 3000;

/** `onStale`: the state may have changed. */
export function RecordingSection({ recording, onStale }: { recording: Call["recording"]; onStale: () => void }) {
  const own = useCallTexts();
  const { holds } = useSession();
  const isPending = recording?.status === "PENDING";
  useEffect(() => {
    if (!isPending) return undefined;
    const timer = setInterval(onStale, LOOK_MS);
    return () => clearInterval(timer);
  }, [isPending, onStale]);

  function why(): string {
    if (!recording) return own.recordingNone;
    if (recording.status === "PENDING") return own.recordingPending;
    if (recording.status === "LOST") return own.recordingLost;
    return holds("recordings:read") ? own.recordingFailed : own.recordingHidden;
  }
  return (
    <Section title={own.recording}>
      {recording?.url ? (
        <Player
          key={recording.id}
          url={recording.url}
          onExpired={onStale}
          placeholder={<div className={styles["player"]} />}
        />
      ) : (
        <p className={styles["none"]}>
          {why()} {recording?.failure}
        </p>
      )}
    </Section>
  );
}
