// Storage: the database, the key that signs cursors and addresses, and what the gateway has seen of tasks and assistants.
import type { Config } from "../config/config.ts";
import type { Log } from "../log.ts";
import { openStore, type Store } from "../store/store.ts";
import { createAssistantRegistry, type AssistantRegistry } from "../tasks/assistantRegistry.ts";
import { createLineRegistry, type LineRegistry } from "../tasks/lineRegistry.ts";
import { createTaskRegistry, type TaskRegistry } from "../tasks/taskRegistry.ts";
import type { StoreObserver } from "../store/storeObserver.ts";
import type { TimeSlices } from "../util/timeSlices.ts";
import { createSigner, type Signer } from "../util/hmac.ts";

export interface Storage extends AsyncDisposable {
  store: Store;
  signer: Signer;
  tasks: TaskRegistry;
  assistants: AssistantRegistry;
  lines: LineRegistry;
}

export interface StorageDeps extends Pick<Config, "databaseUrl" | "databaseMustExist"> {
  /** Used in place of the database at `databaseUrl`, where it is given. */
  store: Store | undefined;
  slices: TimeSlices;
  observer: StoreObserver;
  clock: () => number;
  log: Log;
}

/** Throws an Error of one line where the database cannot be opened. */
export async function createStorage(deps: StorageDeps): Promise<Storage> {
  const { databaseUrl, databaseMustExist: mustExist, store: given, slices, observer, clock, log } = deps;
  await using parts = new AsyncDisposableStack();
  const store = parts.use(given ?? (await openStore({ url: databaseUrl, mustExist, log, slices, observer })));
  const tasks = parts.use(createTaskRegistry({ store: store.knownTasks, clock, log }));
  const assistants = parts.use(createAssistantRegistry({ store: store.knownAssistants, clock, log }));
  const lines = parts.use(createLineRegistry({ store: store.knownLines, clock, log }));
  const signer = createSigner(store.signingKey);
  const running = parts.move();
  return { store, signer, tasks, assistants, lines, [Symbol.asyncDispose]: () => running.disposeAsync() };
}
