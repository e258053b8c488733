// Opens the HTTP server of the gateway on a free port until the end of the test. Other routes send an empty response.
import { onTestFinished } from "vitest";
import { noConnectionGuard } from "../../src/server/connections/connectionGuard.ts";
import { createOriginPolicy } from "../../src/server/originPolicy.ts";
import { createHttpServer, type HttpServerDeps, type Services } from "../../src/server/httpServer.ts";
import { handleAtOnce } from "../../src/server/requestEntry.ts";
import { createConsoleRoutes } from "../../src/server/routes/consoleRoute.ts";
import { createSlowReaders } from "../../src/server/connections/slowReaders.ts";
import { silentLog } from "../support/silentLog.ts";

/** `serves` false: it is starting. */
export async function openServer(own: Partial<HttpServerDeps & Services>, { serves = true } = {}) {
  const deps: HttpServerDeps & Services = {
    entry: { request: handleAtOnce, upgrade: (_, handle) => handle() },
    graphql: (_, response) => void response.end(),
    session: (_, response) => void response.end(),
    webhook: (_, response) => void response.end(),
    webhookPath: "/calllog",
    recordings: (_, response) => void response.end(),
    client: (_, response) => void response.end(),
    turns: { accepted() {}, afterAccepting: (begin) => begin() },
    console: createConsoleRoutes(null, { docs: false, sandbox: false }),
    docs: null,
    mcp: null,
    mcpMetadata: null,
    sockets: { upgrade: (_, socket) => void socket.destroy(), openSockets: () => [] },
    callbacks: { running: () => [] },
    isReady: async () => true,
    degradedBy: () => null,
    originPolicy: createOriginPolicy([], 0),
    trustedProxies: 0,
    loopbackOnly: false,
    connectionGuard: noConnectionGuard,
    slowReaders: createSlowReaders(),
    rejections: { add() {}, observe() {} },
    log: silentLog,
    ...own,
  };
  const server = createHttpServer(deps);
  if (serves) server.serve(deps);
  const url = await server.listen("127.0.0.1", 0);
  let closed: Promise<void> | null = null;
  const close = (drainMs: number, delayMs = 0) => (closed ??= server.close({ delayMs, drainMs }));
  onTestFinished(() => close(0));
  return { url, port: Number(new URL(url).port), close };
}
