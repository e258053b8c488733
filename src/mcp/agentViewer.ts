// The viewer of a request at /mcp. No agent sends a task: this is the one place that makes it so. The viewer of the credentials loses
// tasks:create, and with it every way to send a task in the pipeline and in tasks/; what is left of it is tasks:propose. Other scopes
// that act are lost, too: only a tool with an operation of MCP_ALLOW that needs one of them runs with it.
import type { Grant } from "../auth/grant.ts";
import { holdsNeeded, SUBMITTING, type Scope, type Viewer } from "../auth/scopes.ts";

/** Scopes that only read. */
const READING: readonly Scope[] = ["calls:read", "people:read", "assistants:prompts", "recordings:read"];

/** The scopes that agents may have without MCP_ALLOW. */
export const AGENT_SCOPES: readonly Scope[] = [...READING, "tasks:propose"];

/** What a tool may add. tasks:create is never among them, and no agent approves with tasks:approve: it declines. */
export type AllowableScope = Extract<Scope, "tasks:approve" | "admin">;

/** The scopes of an agent whose credentials have the scopes `held`. */
export function agentScopes(held: ReadonlySet<Scope>, allowed: ReadonlySet<AllowableScope>): ReadonlySet<Scope> {
  const scopes = new Set<Scope>([...READING, ...allowed].filter((scope) => held.has(scope)));
  if (holdsNeeded({ scopes: held }, SUBMITTING)) scopes.add("tasks:propose");
  return scopes;
}

/** The name of agents at a gateway without authentication. Its people have another one, so they may approve what an agent proposes. */
const AGENT_NAME = "agent";

/** For what is no tool. */
export const NOTHING_ALLOWED: ReadonlySet<AllowableScope> = new Set();

export interface AgentViewers {
  /** `allowed`: what the tool may have that runs. */
  viewerOf(viewer: Viewer, allowed: ReadonlySet<AllowableScope>): Viewer;
  /** The same grant, for the agent. */
  grantOf(grant: Grant, allowed: ReadonlySet<AllowableScope>): Grant;
}

export interface AgentViewersOptions {
  /** False: the gateway has no authentication, and all viewers are the same. */
  knowsViewers: boolean;
}

/** Equal inputs give the same objects, because caches of the pipeline are keyed by them. */
export function createAgentViewers({ knowsViewers }: AgentViewersOptions): AgentViewers {
  const viewers = new WeakMap<Viewer, Map<string, Viewer>>();
  const scopeSets = new WeakMap<ReadonlySet<Scope>, Map<string, ReadonlySet<Scope>>>();

  function viewerOf(viewer: Viewer, allowed: ReadonlySet<AllowableScope>): Viewer {
    const key = [...allowed].toSorted().join();
    const scopes = scopeSets
      .getOrInsertComputed(viewer.scopes, () => new Map())
      .getOrInsertComputed(key, () => agentScopes(viewer.scopes, allowed));
    const name = knowsViewers ? viewer.name : AGENT_NAME;
    return viewers
      .getOrInsertComputed(viewer, () => new Map())
      .getOrInsertComputed(key, () => ({ ...viewer, name, scopes, isAgent: true }));
  }
  return {
    viewerOf,
    grantOf: (grant, allowed) => ({
      viewer() {
        const viewer = grant.viewer();
        return viewer && viewerOf(viewer, allowed);
      },
      onChange: (listener) => grant.onChange(listener),
    }),
  };
}
