// The calling service behind the gateway. Tasks and assistants in its answers are noted in their registries, and what is proven about
// it in the database.
import { hash } from "node:crypto";
import type { RequestsConfig, UpstreamConfig } from "../config/config.ts";
import { openSharedProofs, type Proofs } from "../loaders/proofs.ts";
import { observeTasks } from "../tasks/taskRegistry.ts";
import type { Upstream } from "../upstream/upstream.ts";
import { createUpstream } from "../upstream/upstreamClient.ts";
import type { Base } from "./base.ts";
import type { Storage } from "./createStorage.ts";
import type { LiveSecrets } from "./liveSecrets.ts";

export interface Service extends AsyncDisposable {
  /** The client, for its state and its caches. */
  client: Upstream;
  /** The client for features: it notes each task that it reads. */
  upstream: Upstream;
  /** What is proven about how it answers. */
  proofs: Proofs;
}

export interface ServiceDeps extends Base {
  secrets: LiveSecrets;
  storage: Storage;
}

/** Throws STORE_UNAVAILABLE. */
export async function createService(deps: ServiceDeps): Promise<Service> {
  const { config, overrides, secrets, storage, observers, tracing, log } = deps;
  const { upstream, requests } = config;
  await using parts = new AsyncDisposableStack();
  const proofs = parts.use(
    await openSharedProofs({
      store: storage.store.proofs,
      service: serviceName(upstream, requests),
      clock: storage.clock.cautiousNow,
      log,
    }),
  );
  const client = parts.use(
    overrides.upstream ??
      createUpstream({
        ...upstream,
        ...requests,
        token: secrets.token,
        proxy: secrets.proxy,
        onDate: storage.clock.hear,
        tracing,
        observer: observers.upstream,
        wallClock: storage.clock.now,
        log,
      }),
  );
  const observed = observeTasks(tracing.upstream(client), (task) => {
    storage.tasks.observe(task);
    storage.lines.observe(task.taskId, () => task.option()?.lineIds ?? []);
    if (task.assistantRef) storage.assistants.observe(task.assistantRef, task.assistant);
  });
  const running = parts.move();
  return { client, upstream: observed, proofs, [Symbol.asyncDispose]: () => running.disposeAsync() };
}

/** The service by its address, and by how it is asked. */
function serviceName({ url, timeZone }: UpstreamConfig, { assistantIds }: RequestsConfig): string {
  return hash("sha256", JSON.stringify([url, timeZone, assistantIds]), "hex").slice(0, 16);
}
