import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { lastingGrant } from "../../src/auth/grant.ts";
import { scopes, type Scope } from "../../src/auth/scopes.ts";
import { unrestricted } from "../../src/auth/viewerPolicy.ts";
import { agentScopes, createAgentViewers, type AllowableScope } from "../../src/mcp/agentViewer.ts";

const someScopes = fc.uniqueArray(fc.constantFrom(...scopes)).map((held) => new Set<Scope>(held));
const someAllowed = fc
  .uniqueArray(fc.constantFrom("tasks:approve", "admin"))
  .map((names) => new Set(names as AllowableScope[]));

describe("The viewer of an agent", () => {
  it("never has tasks:create, whatever its credentials and MCP_ALLOW give", () => {
    fc.assert(
      fc.property(someScopes, someAllowed, (held, allowed) => {
        const agent = agentScopes(held, allowed);
        expect(agent.has("tasks:create")).toBe(false);
        expect(agent.has("tasks:propose")).toBe(held.has("tasks:create") || held.has("tasks:propose"));
        for (const scope of ["tasks:approve", "admin"] as const)
          expect(agent.has(scope)).toBe(held.has(scope) && allowed.has(scope));
        for (const scope of agent) expect(held.has(scope) || scope === "tasks:propose").toBe(true);
      }),
    );
  });

  it("keeps the name, the limits and the access of its credentials", () => {
    const { viewerOf } = createAgentViewers({ knowsViewers: true });
    const viewer = {
      name: "bot",
      scopes: new Set<Scope>(["tasks:create"]),
      limits: { numbersPerTask: 5 },
      access: null,
    };
    const agent = viewerOf(viewer, new Set());
    expect(agent).toEqual({ ...viewer, scopes: new Set(["tasks:propose"]), isAgent: true });
    expect(viewerOf(viewer, new Set())).toBe(agent);
  });

  it("has for each set of allowed scopes one set of scopes, also for viewers that share theirs", () => {
    const { viewerOf } = createAgentViewers({ knowsViewers: true });
    const held = new Set<Scope>(["calls:read", "admin", "tasks:approve"]);
    const of = (name: string, ...allowed: AllowableScope[]) =>
      viewerOf({ name, scopes: held, ...unrestricted }, new Set(allowed)).scopes;
    expect(of("a", "admin")).toEqual(new Set(["calls:read", "admin"]));
    expect(of("a", "tasks:approve")).toEqual(new Set(["calls:read", "tasks:approve"]));
    expect(of("a", "admin", "tasks:approve")).toBe(of("b", "tasks:approve", "admin"));
    expect(of("a")).toBe(of("b"));
  });

  it("is another one than the people of a gateway without authentication, who may then approve its proposals", () => {
    const { grantOf } = createAgentViewers({ knowsViewers: false });
    const everyone = { name: "anyone", scopes: new Set(scopes), ...unrestricted };
    expect(grantOf(lastingGrant(everyone), new Set()).viewer()?.name).toBe("agent");
  });
});
