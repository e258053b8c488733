import { createLogger, type Logger } from "../../src/logger.ts";

/** A log that writes nothing. */
export const silentLog: Logger = createLogger({ level: "silent", secrets: [] });
