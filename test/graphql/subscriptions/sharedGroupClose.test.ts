import { parse, validateExecutionArgs, type ValidatedExecutionArgs } from "graphql";
import { describe, expect, it } from "vitest";
import { PLAIN_CURSORS } from "../../../src/events/cursorView.ts";
import { lastingGrant } from "../../../src/auth/grant.ts";
import { notTraced } from "../../../src/graphql/subscriptions/delivery.ts";
import { createGroupRegistry, type SharedExecution } from "../../../src/graphql/subscriptions/groupRegistry.ts";
import { createSubscriberCount } from "../../../src/graphql/subscriptions/subscription.ts";
import { createFindSharedRequest, groupKeyOf, groupViewer } from "../../../src/graphql/subscriptions/groupKey.ts";
import { createLogger } from "../../../src/logger.ts";
import { schema } from "../../../src/schema/schema.ts";
import { appendAll, headOf, tempLog } from "../../events/callEnded.ts";
import { until } from "../../support/until.ts";
import { NO_CHECKS } from "../../../src/upstream/requester.ts";
import { unrestricted } from "../../../src/auth/viewerPolicy.ts";

const web = { name: "web", scopes: new Set(["calls:read"] as const), ...unrestricted };

function asked(query: string): ValidatedExecutionArgs {
  const args = validateExecutionArgs({ schema, document: parse(query) });
  if (!("operation" in args)) throw args[0];
  return args;
}

describe("a result that is shared by scopes", () => {
  const findSharedRequest = createFindSharedRequest();
  const byScopes = asked("subscription { callEnded { sessionId } }");
  const ofViewer = asked("subscription { callEnded { recording { url } } }");

  it("cannot read the viewer's name or the end of the token", () => {
    const shared = findSharedRequest(byScopes);
    const shown = shared && groupViewer(shared, { ...web, tokenEndsAt: 1 });
    expect(shown?.scopes).toBe(web.scopes);
    expect(() => shown?.name).toThrow("depends on the viewer's identity");
    expect(() => shown?.tokenEndsAt).toThrow("depends on the viewer's identity");
    // A copy and its JSON have no name either.
    expect(JSON.stringify({ ...shown })).not.toContain("web");
  });

  it("has the viewer's name in its group key if a type is for one viewer", () => {
    const shared = findSharedRequest(ofViewer);
    if (!shared) throw new Error("it is not shared");
    expect(groupViewer(shared, web)).toBe(web);
    expect(groupKeyOf(shared, web)).not.toBe(groupKeyOf(shared, { ...web, name: "other" }));
  });

  it("fails and is sent to nobody if it reads the name, and each member reads by itself", async () => {
    const events = await tempLog();
    const lines: string[] = [];
    const groups = createSubscriberCount();
    const streams = createGroupRegistry({
      follow: (request, onHead) => events.follow(request, onHead),
      execute: async ({ viewer }: SharedExecution) => ({ data: { secret: viewer.name } }),
      cursorsOf: () => PLAIN_CURSORS,
      chargeRequest: () => undefined,
      chargeRows: async () => undefined,
      groupCount: groups,
      startDelivery: () => notTraced,
      log: createLogger({ level: "debug", secrets: [], write: (line) => lines.push(line) }),
    });
    const sent: unknown[] = [];
    const send = (results: readonly unknown[]) => sent.push(...results) > 0;
    const handoff = streams.handoffFor({
      operation: byScopes,
      allowance: { max: 1, counted: 1, checks: NO_CHECKS },
      rows: 0,
      grant: lastingGrant(web),
      send,
    });
    const cursor = await headOf(events);
    let isReleased = false;
    const member = { cursor, send, viewer: () => web, onReleased: () => (isReleased = true) };
    expect(handoff?.groupAt(cursor, { after: null, filter: {}, revisions: false })?.admit(member)).toBe(true);
    await appendAll(events, ["one"]);
    await until(() => isReleased);
    expect(sent).toEqual([]);
    expect(member.cursor).toBe(cursor);
    expect(groups.running()).toBe(0);
    expect(lines.join("")).toContain("Each of its subscribers now reads by itself");
  });
});
