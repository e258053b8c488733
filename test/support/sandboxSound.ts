// The recordings that the sandbox makes.
import { createSounds } from "../../sandbox/src/api/recordingFiles.ts";

const createSound = createSounds();
/** How long a call on request is talked (docs/sandbox.md). */
const TALK_S = 20;

/** The recording of a call on request. */
export const soundOfCall = (sessionId: string): Buffer => createSound(sessionId, TALK_S);

export const SHORT_SOUND = createSound("short", 1);
