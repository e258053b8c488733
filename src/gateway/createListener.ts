// The HTTP server itself. It listens when the gateway serves, or before, where the start has to wait: it is alive then, and not ready.
import type { Config } from "../config/config.ts";
import type { Logger } from "../logger.ts";
import {
  createConnectionGuard,
  noConnectionGuard,
  type ConnectionGuard,
} from "../server/connections/connectionGuard.ts";
import { createRejections, type OnRefused, type Rejections } from "../server/connections/rejections.ts";
import { createSlowReaders } from "../server/connections/slowReaders.ts";
import { createHttpServer, type Services } from "../server/httpServer.ts";
import type { Observers } from "../server/metrics/observers.ts";
import { createOriginPolicy, type OriginPolicy } from "../server/originPolicy.ts";
import { createRequestEntry } from "../server/requestEntry.ts";
import type { Tracing } from "../tracing/tracing.ts";
import { explainListenError, listenWhenPossible } from "../util/start/listening.ts";
import type { LoopTurns } from "../util/loopTurns.ts";
import type { Waiting } from "../util/start/waiting.ts";

/** Disposing of it closes the server: at once if it does not serve, and otherwise as `close` in httpServer.ts does. */
export interface Listener extends AsyncDisposable {
  /** Resolves with its address, such as http://127.0.0.1:4000. Waits where the port is taken or the address is not there. */
  listen(): Promise<string>;
  /** Tries once to listen, so that /livez answers. Throws an Error of one line. */
  listenEarly(): Promise<void>;
  /** `onRefused`: called after each answer that is a rejection. */
  serve(services: Services, onRefused: OnRefused): void;
  connectionGuard: ConnectionGuard;
  originPolicy: OriginPolicy;
  rejections: Rejections;
}

export interface ListenerDeps {
  config: Pick<
    Config,
    | "host"
    | "port"
    | "trustedProxies"
    | "auth"
    | "webhook"
    | "corsOrigins"
    | "drainDelaySeconds"
    | "drainSeconds"
    | "logsRequests"
  >;
  observers: Pick<Observers, "server">;
  turns: Pick<LoopTurns, "accepted" | "afterAccepting">;
  tracing: Pick<Tracing, "request">;
  waiting: Waiting;
  log: Logger;
}

export function createListener({ config, observers, turns, tracing, waiting, log }: ListenerDeps): Listener {
  const { host, port, trustedProxies, drainDelaySeconds, drainSeconds } = config;
  const connectionGuard = trustedProxies > 0 ? noConnectionGuard : createConnectionGuard();
  const originPolicy = createOriginPolicy(config.corsOrigins, trustedProxies);
  let reportRefused: OnRefused = () => undefined;
  const rejections = createRejections(observers.server, connectionGuard, (...refused) => reportRefused(...refused));
  const server = createHttpServer({
    entry: createRequestEntry({ trustedProxies, logsRequests: config.logsRequests, trace: tracing.request, log }),
    webhookPath: config.webhook.path,
    originPolicy,
    trustedProxies,
    loopbackOnly: config.auth.kind === "open" && config.auth.byDefault,
    connectionGuard,
    slowReaders: createSlowReaders(),
    rejections,
    turns,
    log,
  });
  const address = { host, variables: { host: "HOST", port: "PORT" } };
  let url: string | null = null;
  let closed: Promise<void> | null = null;
  const tryToListen = async () => (url ??= await server.listen(host, port));
  return {
    listen: () => listenWhenPossible(tryToListen, address, waiting),
    async listenEarly() {
      if (url !== null) return;
      await tryToListen().catch((error: unknown) => {
        throw explainListenError(error as Error, address);
      });
      log.info({ url }, "the gateway is alive and not ready");
    },
    serve(services, onRefused) {
      reportRefused = onRefused;
      server.serve(services);
    },
    connectionGuard,
    originPolicy,
    rejections,
    [Symbol.asyncDispose]: () =>
      (closed ??= server.close({ delayMs: drainDelaySeconds * 1000, drainMs: drainSeconds * 1000 })),
  };
}
