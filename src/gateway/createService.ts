// The calling service behind the gateway. Tasks and assistants in its answers are noted in their registries, and what is proven about
// it in the database.
import { hash } from "node:crypto";
import type { RequestsConfig, UpstreamConfig } from "../config/config.ts";
import { openSharedProofs, type Proofs } from "../loaders/proofs.ts";
import type { Logger } from "../logger.ts";
import { observeTasks } from "../tasks/taskRegistry.ts";
import type { Tracing } from "../tracing/tracing.ts";
import type { ServiceToken } from "../upstream/serviceToken.ts";
import type { LiveProxy } from "../upstream/proxyAgent.ts";
import type { Upstream } from "../upstream/upstream.ts";
import type { UpstreamObserver } from "../upstream/upstreamObserver.ts";
import { createUpstream } from "../upstream/upstreamClient.ts";
import type { Storage } from "./createStorage.ts";

export interface Service extends AsyncDisposable {
  /** The client, for its state and its caches. */
  client: Upstream;
  /** The client for features: it notes each task that it reads. */
  upstream: Upstream;
  /** What is proven about how it answers. */
  proofs: Proofs;
}

export interface ServiceDeps {
  storage: Storage;
  upstream: UpstreamConfig;
  requests: RequestsConfig;
  token: ServiceToken;
  proxy: LiveProxy;
  /** Used in place of a client of `upstream`, where it is given. */
  client: Upstream | undefined;
  tracing: Tracing;
  observer: UpstreamObserver;
  log: Logger;
}

/** Throws STORE_UNAVAILABLE. */
export async function createService(deps: ServiceDeps): Promise<Service> {
  const { storage, upstream, requests, token, proxy, client: given, tracing, observer, log } = deps;
  const onDate = storage.clock.hear;
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
    given ??
      createUpstream({
        ...upstream,
        ...requests,
        token,
        proxy,
        onDate,
        tracing,
        observer,
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
