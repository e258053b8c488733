// A sandbox, the gateway and a CRM behind a router.
import { connectTestSandbox, gatewayAt, startGateway, temporaryDirectory } from "../../../test/support/gateway.ts";
import type { GatewayAddress, TestGateway } from "../../../test/support/gateway.ts";
import { bearer, writeKeys } from "../../../test/support/keys.ts";
import { startSandbox, type TestSandbox } from "../../../test/support/sandbox.ts";
import { CRM_SDL, startCrm, type Customer } from "./crm.ts";
import { compose, startRouter, type RouterTransport } from "./router.ts";

export interface World extends AsyncDisposable {
  sandbox: TestSandbox;
  gateway: TestGateway;
  /** The same graph and the CRM's, through the router. */
  router: GatewayAddress;
}

/** The viewers of the gateway, by name. */
export const VIEWERS = {
  all: ["calls:read", "people:read", "recordings:read", "tasks:create", "admin"],
  masked: ["calls:read"],
} as const;

export const as = (name: keyof typeof VIEWERS) => ({ authorization: bearer(name) });

/** `customers` of the CRM. `between` leads from the router to the gateway, such as to a proxy; `transport` is the router's. */
export async function startWorld(
  customers: readonly Customer[] = [],
  transport: RouterTransport = "sse",
  between: (gatewayUrl: string) => Promise<{ url: string } & AsyncDisposable> = through,
): Promise<World> {
  await using parts = new AsyncDisposableStack();
  const folder = parts.use(await temporaryDirectory());
  const sandbox = parts.use(await startSandbox({ traffic: false }));
  const API_KEYS_FILE = await writeKeys(folder.path, VIEWERS);
  const env = { FEDERATION: "on", INTROSPECTION: "off", QUERY_BUDGET: "1000", API_KEYS_FILE };
  const gateway = parts.use(await startGateway(sandbox, env));
  await connectTestSandbox(sandbox, gateway);
  const crm = parts.use(await startCrm(customers));
  const inFront = parts.use(await between(gateway.url));
  const { data } = await gateway.ask<{ _service: { sdl: string } }>("{ _service { sdl } }", {}, as("all"));
  const supergraph = compose([
    { name: "switchboard", url: `${inFront.url}/graphql`, sdl: data?._service.sdl ?? "" },
    { name: "crm", url: crm.url, sdl: CRM_SDL },
  ]);
  const router = parts.use(await startRouter(supergraph, transport));
  const running = parts.move();
  return { sandbox, gateway, router: gatewayAt(router.url), [Symbol.asyncDispose]: () => running.disposeAsync() };
}

const through = async (url: string) => ({ url, [Symbol.asyncDispose]: async () => undefined });
