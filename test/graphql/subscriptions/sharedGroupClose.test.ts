import { parse, validateExecutionArgs, type ValidatedExecutionArgs } from "graphql";
import { describe, expect, it } from "vitest";
import { lastingGrant } from "../../../src/auth/grant.ts";
import { createGroupRegistry, type SharedExecution } from "../../../src/graphql/subscriptions/groupRegistry.ts";
import { createSubscriberCount } from "../../../src/graphql/subscriptions/subscriberCount.ts";
import { sharingKey, groupKeyOf, shownOf } from "../../../src/graphql/subscriptions/groupKey.ts";
import { createLog } from "../../../src/log.ts";
import { schema } from "../../../src/schema/schema.ts";
import { appendAll, headOf, tempLog } from "../../events/callEnded.ts";
import { until } from "../../support/until.ts";

const web = { name: "web", scopes: new Set(["calls:read"] as const) };

function asked(query: string): ValidatedExecutionArgs {
  const args = validateExecutionArgs({ schema, document: parse(query) });
  if (!("operation" in args)) throw args[0];
  return args;
}

describe("what is shared by scopes cannot depend on its viewer", () => {
  const byScopes = asked("subscription { callEnded { sessionId } }");
  const ofViewer = asked("subscription { callEnded { recording { url } } }");

  it("for it has no name to read, and no end of a token", () => {
    const sharing = groupKeyOf(byScopes);
    const shown = sharing && shownOf(sharing, { ...web, tokenEndsAt: 1 });
    expect(shown?.scopes).toBe(web.scopes);
    expect(() => shown?.name).toThrow("shared by scopes");
    expect(() => shown?.tokenEndsAt).toThrow("shared by scopes");
    // Nor by a copy, or when it is written down.
    expect(JSON.stringify({ ...shown })).not.toContain("web");
  });

  it("and where it does, its viewer's name is a part of what is shared", () => {
    const sharing = groupKeyOf(ofViewer);
    if (!sharing) throw new Error("it is not shared");
    expect(shownOf(sharing, web)).toBe(web);
    expect(sharingKey(sharing, web)).not.toBe(sharingKey(sharing, { ...web, name: "other" }));
  });

  it("an execution that looks for it all the same fails, is told nobody, and each reads by itself", async () => {
    const events = await tempLog();
    const lines: string[] = [];
    const groups = createSubscriberCount();
    const streams = createGroupRegistry({
      follow: (request, onHead) => events.follow(request, onHead),
      execute: async ({ viewer }: SharedExecution) => ({ data: { secret: viewer.name } }),
      pay: () => undefined,
      payRows: async () => undefined,
      present: groups,
      log: createLog({ level: "debug", secrets: [], write: (line) => lines.push(line) }),
    });
    const taken: unknown[] = [];
    const take = (payloads: readonly Buffer[]) => taken.push(...payloads) > 0;
    const seam = streams.seamFor({
      operation: byScopes,
      allowance: { max: 1, counted: 1 },
      rows: 0,
      grant: lastingGrant(web),
      take,
    });
    const place = await headOf(events);
    let isReleased = false;
    const member = { place, take, viewer: () => web, released: () => (isReleased = true) };
    expect(seam?.groupAt(place, { after: null, filter: {}, revisions: false })?.admit(member)).toBe(true);
    await appendAll(events, ["one"]);
    await until(() => isReleased);
    expect(taken).toEqual([]);
    expect(member.place).toBe(place);
    expect(groups.running()).toBe(0);
    expect(lines.join("")).toContain("each subscriber reads by itself");
  });
});
