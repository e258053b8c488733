import { createLog, type Log } from "../../src/log.ts";

/** A log that writes nothing. */
export const silentLog: Log = createLog({ level: "silent", secrets: [] });
