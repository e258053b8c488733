// Starts the servers that answer queries: the gateway, the bare proxy and the peers, each in front of the same service. All
// run with the gateway's size of the young generation, so that a ratio does not measure Node's options.
import type { Scope } from "../../src/auth/scopes.ts";
import type { Environment } from "../../test/support/program.ts";
import { startGateway } from "../support/gateway.ts";
import { postBytes } from "../support/connection.ts";
import { startBare, startPeer, type Metered } from "../support/metered.ts";
import { rangeOf } from "../support/ranges.ts";
import { bodyOf, type QueryWork } from "./queryWork.ts";

export interface QueryServer extends Metered {
  requestOf(work: QueryWork, day: number): Buffer;
  /** Returns the parsed answer. */
  ask(work: QueryWork, day: number): Promise<unknown>;
}

export interface QueryServerKind {
  name: string;
  /** False for the baseline: its answers are the bytes of the service, so they are not compared. */
  speaksGraphql: boolean;
  start(service: string): Promise<QueryServer>;
}

export const YOUNG_GENERATION = [
  "--max-semi-space-size=64",
  "--heap-growing-percent=50",
  "--no-allocation-site-pretenuring",
  "--expose-gc",
];
export const OURS = "Switchboard";
export const FLOOR = "node:http proxy";

/** The scopes for all fields of the queries. */
export const QUERY_SCOPES: readonly Scope[] = ["calls:read", "people:read", "recordings:read"];

/** `settings`: variables of the gateway with other values than the default. */
export function queryServers(settings: Environment): QueryServerKind[] {
  return [
    {
      name: OURS,
      speaksGraphql: true,
      async start(service) {
        const gateway = await startGateway({ service, settings, cacheMs: 0, scopes: QUERY_SCOPES });
        return asking(gateway, gateway.authorization);
      },
    },
    {
      name: FLOOR,
      speaksGraphql: false,
      start: async (service) => proxying(await startBare("proxy", [service], YOUNG_GENERATION)),
    },
    ...["mercurius", "yoga", "apollo"].map((file) => ({
      name: PEERS[file as keyof typeof PEERS],
      speaksGraphql: true,
      start: (service: string) => peerServer(file, service),
    })),
  ];
}

/** A gateway that another program starts, such as the `bin/start.js` of another working tree. */
export async function programServer(program: string, service: string, settings: Environment): Promise<QueryServer> {
  const gateway = await startGateway({ service, program: [program], settings, cacheMs: 0, scopes: QUERY_SCOPES });
  return asking(gateway, gateway.authorization);
}

export async function peerServer(file: string, service: string): Promise<QueryServer> {
  return asking(await startPeer(file, [service], YOUNG_GENERATION), "");
}

export const PEERS = {
  mercurius: "Mercurius + graphql-jit",
  yoga: "GraphQL Yoga",
  apollo: "Apollo Server 5",
} as const;

function asking(program: Metered, authorization: string): QueryServer {
  const textOf = (work: QueryWork, day: number) => JSON.stringify(bodyOf(work, day));
  return {
    ...program,
    requestOf: (work, day) => postBytes("/graphql", authorization, textOf(work, day)),
    async ask(work, day) {
      const headers = { "content-type": "application/json", accept: "application/json", authorization };
      const response = await fetch(`${program.url}/graphql`, { method: "POST", headers, body: textOf(work, day) });
      return response.json();
    },
  };
}

function proxying(program: Metered): QueryServer {
  const pathOf = ({ calls, tasks }: QueryWork, day: number) => `/${calls}/${tasks}/${rangeOf(day).since.slice(0, 10)}`;
  return {
    ...program,
    requestOf: (work, day) => postBytes(work.calls === 0 ? "/typename" : pathOf(work, day), "", "{}"),
    ask: () => Promise.reject(new Error("it does not speak GraphQL")),
  };
}
