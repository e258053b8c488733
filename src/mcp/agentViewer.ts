// The viewer of a request at /mcp. No agent sends a task: this is the one place that makes it so. The viewer of the credentials loses
// tasks:create, and with it every way to send a task in the pipeline and in tasks/; what is left of it is tasks:propose. Other scopes
// that act are lost, too, unless MCP_ALLOW names an operation that needs them.
import type { Grant } from "../auth/grant.ts";
import { holdsNeeded, SUBMITTING, type Scope, type Viewer } from "../auth/scopes.ts";

/** Scopes that only read. */
const READING: readonly Scope[] = ["calls:read", "people:read", "assistants:prompts", "recordings:read"];

/** The scopes that agents may have without MCP_ALLOW. */
export const AGENT_SCOPES: readonly Scope[] = [...READING, "tasks:propose"];

/** What MCP_ALLOW may add. tasks:create is never among them. */
export type AllowableScope = Extract<Scope, "tasks:approve" | "admin">;

/** The scopes of an agent whose credentials have the scopes `held`. */
export function agentScopes(held: ReadonlySet<Scope>, allowed: ReadonlySet<AllowableScope>): ReadonlySet<Scope> {
  const scopes = new Set<Scope>([...READING, ...allowed].filter((scope) => held.has(scope)));
  if (holdsNeeded({ scopes: held }, SUBMITTING)) scopes.add("tasks:propose");
  return scopes;
}

/** The name of agents at a gateway without authentication. Its people have another one, so they may approve what an agent proposes. */
const AGENT_NAME = "agent";

export interface AgentViewers {
  viewerOf(viewer: Viewer): Viewer;
  /** The same grant, for the agent. */
  grantOf(grant: Grant): Grant;
}

export interface AgentViewersOptions {
  allowed: ReadonlySet<AllowableScope>;
  /** False: the gateway has no authentication, and all viewers are the same. */
  knowsViewers: boolean;
}

/** Equal inputs give the same objects, because caches of the pipeline are keyed by them. */
export function createAgentViewers({ allowed, knowsViewers }: AgentViewersOptions): AgentViewers {
  const viewers = new WeakMap<Viewer, Viewer>();
  const scopeSets = new WeakMap<ReadonlySet<Scope>, ReadonlySet<Scope>>();

  function scopesOf(held: ReadonlySet<Scope>): ReadonlySet<Scope> {
    const scopes = scopeSets.get(held) ?? agentScopes(held, allowed);
    scopeSets.set(held, scopes);
    return scopes;
  }
  function viewerOf(viewer: Viewer): Viewer {
    const agent = viewers.get(viewer) ?? {
      ...viewer,
      name: knowsViewers ? viewer.name : AGENT_NAME,
      scopes: scopesOf(viewer.scopes),
    };
    viewers.set(viewer, agent);
    return agent;
  }
  return {
    viewerOf,
    grantOf: (grant) => ({
      viewer() {
        const viewer = grant.viewer();
        return viewer && viewerOf(viewer);
      },
      onChange: (listener) => grant.onChange(listener),
    }),
  };
}
