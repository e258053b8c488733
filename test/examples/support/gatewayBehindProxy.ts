// A gateway with keys, in front of a sandbox without traffic and behind a proxy: it can be restarted while a client tries to
// reach it.
import { connectSandbox, emptySandbox } from "../../support/emptySandbox.ts";
import { cuttingProxy, type CuttingProxy } from "../../support/network/cuttingProxy.ts";
import { freePort } from "../../support/network/freePort.ts";
import { startGateway, temporaryDirectory, type TestGateway } from "../../support/gateway.ts";
import { bearer, writeKeys } from "../../support/keys.ts";
import type { Environment } from "../../support/program.ts";
import { until } from "../../support/until.ts";
import type { Sandbox } from "../../../sandbox/src/sandbox.ts";

/** The key of a viewer is `keyOf(name)`. */
const VIEWERS = {
  web: ["calls:read", "people:read", "tasks:create", "recordings:read"],
  reader: ["calls:read"],
  clerk: ["tasks:create"],
};

type EndCall = Parameters<Sandbox["control"]["endCall"]>[0];

export interface GatewayBehindProxy extends AsyncDisposable {
  sandbox: Sandbox;
  proxy: CuttingProxy;
  /** Ends a call at the sandbox. Resolves with its session id when the gateway's log has it. */
  endCall(call?: EndCall): Promise<string>;
  /** Stops the gateway and starts it anew. `whileAway` runs when it is ready, before a client can reach it. */
  restart(whileAway?: () => Promise<void>): Promise<void>;
}

/** A zone of which the clocks show 12 to 13 now. The names of these zones have the sign of POSIX: Etc/GMT-8 is ahead of UTC. */
function zoneAtNoon(): string {
  const ahead = 12 - new Date().getUTCHours();
  return `Etc/GMT${ahead > 0 ? "-" : "+"}${Math.abs(ahead)}`;
}

export async function startGatewayBehindProxy(env: Environment = {}): Promise<GatewayBehindProxy> {
  await using parts = new AsyncDisposableStack();
  const directory = parts.use(await temporaryDirectory());
  // The pages list today's calls, and no day of the service may end during a test.
  const timeZone = zoneAtNoon();
  const sandbox = parts.use(await emptySandbox({ timeZone }));
  const API_KEYS_FILE = await writeKeys(directory.path, VIEWERS);
  const PORT = String(await freePort());
  const own = { PORT, DRAIN_SECONDS: "1", DATABASE_URL: directory.database, API_KEYS_FILE };
  const start = () => startGateway(sandbox, { ...own, UPSTREAM_TIME_ZONE: timeZone, ...env });
  let gateway: TestGateway = await start();
  parts.defer(() => gateway[Symbol.asyncDispose]());
  connectSandbox(sandbox, gateway);
  const proxy = parts.use(await cuttingProxy(gateway.url));
  const owned = parts.move();

  async function isLogged(sessionId: string): Promise<boolean> {
    const query = "query ($sessionId: ID!) { callEnded(sessionId: $sessionId) { id } }";
    const { data } = await gateway.ask(query, { sessionId }, { authorization: bearer("web") });
    return data?.["callEnded"] != null;
  }
  return {
    sandbox,
    proxy,
    async endCall(call = {}) {
      const { sessionId } = sandbox.control.endCall(call);
      await until(() => isLogged(sessionId));
      return sessionId;
    },
    async restart(whileAway) {
      proxy.isClosed = true;
      proxy.cutAll();
      await gateway[Symbol.asyncDispose]();
      gateway = await start();
      await whileAway?.();
      proxy.isClosed = false;
    },
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  };
}
