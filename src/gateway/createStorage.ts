// Storage: the database, the key that signs cursors and addresses, and what the gateway has seen of tasks and assistants.
import { isLoopback } from "../config/config.ts";
import { openTrustedClock, type TrustedClock } from "../events/trustedClock.ts";
import { openStore, type Store } from "../store/store.ts";
import { createAssistantRegistry, type AssistantRegistry } from "../tasks/assistantRegistry.ts";
import { createLineRegistry, type LineRegistry } from "../tasks/lineRegistry.ts";
import { createTaskRegistry, type TaskRegistry } from "../tasks/taskRegistry.ts";
import { DAY_MS } from "../util/durations.ts";
import { createSigner, type Signer } from "../util/hmac.ts";
import type { Base } from "./base.ts";
import type { LiveSecrets } from "./liveSecrets.ts";

export interface Storage extends AsyncDisposable {
  store: Store;
  clock: TrustedClock;
  signer: Signer;
  tasks: TaskRegistry;
  assistants: AssistantRegistry;
  lines: LineRegistry;
}

/** Throws an Error of one line where the database cannot be opened. */
export async function createStorage({
  config,
  overrides,
  secrets,
  observers,
  slices,
  log,
}: Base & { secrets: LiveSecrets }): Promise<Storage> {
  const { databaseMustExist: mustExist, databaseFsync: fsync } = config;
  const currentUrl = secrets.databaseUrl;
  await using parts = new AsyncDisposableStack();
  const opened = { url: currentUrl(), currentUrl, mustExist, fsync, log, slices, observer: observers.store };
  const store = parts.use(overrides.store ?? (await openStore(opened)));
  const trustedClock = parts.use(
    await openTrustedClock({
      store: store.clock,
      clock: overrides.clock ?? Date.now,
      retentionMs: config.retentionDays * DAY_MS,
      isServiceElsewhere: !isLoopback(new URL(config.upstream.url).hostname),
      isSimulated: overrides.isClockSimulated ?? false,
      confirmedOn: config.clockConfirmedOn,
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
