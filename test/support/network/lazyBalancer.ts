// A load balancer as many are: it keeps connections to its gateways open, repeats nothing, and learns late whether one is ready.
import { Agent, createServer, request } from "node:http";
import { startFakeService } from "../fakeService.ts";

export interface LazyBalancer extends AsyncDisposable {
  url: string;
  /** Whether it sends requests to the gateway at this address. */
  uses(url: string): boolean;
  /** The errors of connections to gateways, each of which failed a request. */
  errors: readonly string[];
}

const LATE_MS = 2000;
const CHECK_MS = 200;

/** Sends requests to each gateway in turn. What it learns of a gateway has effect two seconds later. */
export async function startLazyBalancer(gateways: readonly { url: string }[]): Promise<LazyBalancer> {
  const errors: string[] = [];
  const used = new Map(gateways.map(({ url }) => [url, true]));
  const agent = new Agent({ keepAlive: true });
  let turn = 0;
  const next = () => {
    const ready = gateways.filter(({ url }) => used.get(url) === true);
    turn += 1;
    return ready[turn % ready.length] ?? gateways[0];
  };
  const service = await startFakeService(
    createServer((incoming, response) => {
      const { method, url, headers } = incoming;
      const { hostname, port } = new URL(next()?.url ?? "");
      const sent = request({ agent, hostname, port, method, path: url, headers });
      incoming.pipe(sent);
      sent.on("response", (answer) => {
        const { connection: _, ...passed } = answer.headers;
        response.writeHead(answer.statusCode ?? 502, passed);
        answer.pipe(response);
      });
      sent.on("error", ({ message }) => {
        errors.push(message);
        if (response.headersSent) response.destroy();
        else response.writeHead(502).end();
      });
    }),
  );
  const check = async (url: string) => {
    const isReady = await fetch(`${url}/readyz`).then(
      ({ ok }) => ok,
      () => false,
    );
    setTimeout(() => used.set(url, isReady), LATE_MS);
  };
  const checks = setInterval(() => gateways.forEach(({ url }) => void check(url)), CHECK_MS);
  return {
    url: service.url,
    uses: (url) => used.get(url) === true,
    errors,
    async [Symbol.asyncDispose]() {
      clearInterval(checks);
      await service[Symbol.asyncDispose]();
      agent.destroy();
    },
  };
}
