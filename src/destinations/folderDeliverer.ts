// Kind `folder`: writes the events as the graph shows them into files by hour. An event is taken when it is on disk.
import { randomUUID } from "node:crypto";
import { link, mkdir, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { Logger } from "../logger.ts";
import { startRepeating } from "../util/startRepeating.ts";
import type { Attempt, Deliverer } from "./deliverer.ts";
import type { Destination } from "./destinationFile.ts";
import { deliverShown, EVENT_TYPE, type ReadEvent } from "./eventDeliverer.ts";
import { createHourFiles } from "./hourFiles.ts";

export interface FolderDelivererDeps {
  readEvent: ReadEvent;
  clock: () => number;
  log: Logger;
}

const FINISH_EVERY_MS = 5000;

export function createFolderDeliverer(
  destination: Extract<Destination, { kind: "folder" }>,
  { readEvent, clock, log }: FolderDelivererDeps,
): Deliverer {
  const { name } = destination;
  const folder = fileURLToPath(destination.url);
  const files = createHourFiles({ folder, clock });
  let isBegun = false;
  // A deliverer for a test message is disposed before the second round: only the one that delivers finishes files.
  const finishing = startRepeating(async () => {
    if (isBegun)
      await files.finish().catch((err: unknown) => {
        log.warn({ destination: name, err }, "the files of a destination cannot be written now");
      });
    isBegun = true;
    return FINISH_EVERY_MS;
  });
  return {
    deliver: (event, signal) =>
      deliverShown(readEvent, event, destination, signal, ({ id, data, errors }) => {
        const line = { id, type: EVENT_TYPE, timestamp: event.receivedAt, data, errors };
        return files.add(line).then(
          (isIn) => (isIn ? { outcome: "taken", status: null } : failure("Another gateway writes this file.")),
          (error: NodeJS.ErrnoException) => failure(reasonOf(error)),
        );
      }),
    async test() {
      const file = join(folder, `.test-${randomUUID()}`);
      try {
        await mkdir(folder, { recursive: true, mode: 0o750 });
        await writeFile(file, "", { flag: "wx" });
        // Files get their names by links.
        await link(file, `${file}-2`);
        await rm(`${file}-2`);
        await rm(file);
        return { outcome: "taken", status: null };
      } catch (error) {
        return failure(reasonOf(error as NodeJS.ErrnoException));
      }
    },
    async [Symbol.asyncDispose]() {
      await finishing[Symbol.asyncDispose]();
      await files[Symbol.asyncDispose]();
    },
  };
}

const failure = (text: string): Attempt => ({
  outcome: "failed",
  status: null,
  text,
  retryAfterMs: null,
  isOwn: false,
});
const reasonOf = ({ code = "unknown cause" }: NodeJS.ErrnoException) => `The folder cannot be written (${code}).`;
