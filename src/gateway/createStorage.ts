// Storage: the database, the key that signs cursors and addresses, and what the gateway has seen of tasks and assistants.
import type { Config } from "../config/config.ts";
import type { Logger } from "../logger.ts";
import { openTrustedClock, type TrustedClock } from "../events/trustedClock.ts";
import { openStore, type Store } from "../store/store.ts";
import { createAssistantRegistry, type AssistantRegistry } from "../tasks/assistantRegistry.ts";
import { createLineRegistry, type LineRegistry } from "../tasks/lineRegistry.ts";
import { createTaskRegistry, type TaskRegistry } from "../tasks/taskRegistry.ts";
import type { StoreObserver } from "../store/storeObserver.ts";
import type { TimeSlices } from "../util/timeSlices.ts";
import { createSigner, type Signer } from "../util/hmac.ts";

export interface Storage extends AsyncDisposable {
  store: Store;
  clock: TrustedClock;
  signer: Signer;
  tasks: TaskRegistry;
  assistants: AssistantRegistry;
  lines: LineRegistry;
}

export interface StorageDeps extends Pick<Config, "databaseMustExist" | "databaseFsync" | "clockConfirmedOn"> {
  /** See LiveSecrets. */
  databaseUrl: () => string;
  /** Used in place of the database at `databaseUrl`, where it is given. */
  store: Store | undefined;
  slices: TimeSlices;
  observer: StoreObserver;
  /** The machine's clock. */
  clock: () => number;
  retentionMs: number;
  /** See TrustedClockDeps. */
  isServiceElsewhere: boolean;
  isClockSimulated: boolean;
  log: Logger;
}

/** Throws an Error of one line where the database cannot be opened. */
export async function createStorage(deps: StorageDeps): Promise<Storage> {
  const { databaseUrl: currentUrl, databaseMustExist: mustExist, databaseFsync: fsync, store: given } = deps;
  const url = currentUrl();
  const { slices, observer, log } = deps;
  await using parts = new AsyncDisposableStack();
  const store = parts.use(given ?? (await openStore({ url, currentUrl, mustExist, fsync, log, slices, observer })));
  const trustedClock = parts.use(
    await openTrustedClock({
      store: store.clock,
      clock: deps.clock,
      retentionMs: deps.retentionMs,
      isServiceElsewhere: deps.isServiceElsewhere,
      isSimulated: deps.isClockSimulated,
      confirmedOn: deps.clockConfirmedOn,
      log,
    }),
  );
  const clock = trustedClock.now;
  const tasks = parts.use(createTaskRegistry({ store: store.knownTasks, clock, log }));
  const assistants = parts.use(createAssistantRegistry({ store: store.knownAssistants, clock, log }));
  const lines = parts.use(createLineRegistry({ store: store.knownLines, clock, log }));
  const signer = createSigner(store.signingKey);
  const running = parts.move();
  const known = { tasks, assistants, lines };
  return { store, clock: trustedClock, signer, ...known, [Symbol.asyncDispose]: () => running.disposeAsync() };
}
