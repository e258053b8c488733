import { createElement, type FunctionComponent } from "react";
import { renderToString } from "react-dom/server";
import { describe, expect, expectTypeOf, it } from "vitest";
import { createSwitchboardClient, type StreamItem, type TypedText } from "../../../client/src/index.ts";
import {
  SwitchboardProvider,
  useCallEnded,
  useCalls,
  useTask,
  type CallsDocument,
} from "../../../client/src/react/index.ts";
import { callEndedEvent } from "../../support/events.ts";
import { until } from "../../support/until.ts";
import { views } from "./views.ts";
import { createWorld, hasBrowser } from "./world.ts";

type Name = keyof typeof views;
type Props = Record<string, unknown>;

/** Renders on a server whose network counts what it is asked for. */
function render(name: Name, props: Props) {
  let requests = 0;
  function count(): never {
    requests += 1;
    throw new Error("A server must not open a connection.");
  }
  const client = createSwitchboardClient({
    url: "https://calls.example/graphql",
    fetch: count,
    webSocketImpl: count,
  });
  const view = createElement(views[name] as FunctionComponent<Props>, props);
  const html = renderToString(createElement(SwitchboardProvider, { client }, view));
  return { html, requests: () => requests, state: client.state };
}

const initial = { headCursor: "c2", nodes: [{ sessionId: "served-1", cursor: "c1" }] };
const cases: [Name, Props, string][] = [
  ["live", {}, "&quot;items&quot;:[]"],
  ["live", { initial }, "served-1"],
  ["calls", {}, "&quot;loading&quot;:true"],
  ["task", { taskId: "7" }, "&quot;loading&quot;:true"],
  ["form", {}, "&quot;name&quot;:&quot;idle&quot;"],
  ["connection", {}, "&quot;name&quot;:&quot;idle&quot;"],
];

const pages: CallsDocument<{ callee: string }> =
  "query ($first: Int!, $after: String) { callLogs(first: $first, after: $after) { nodes { callee } pageInfo { hasNextPage endCursor } } }";
const live: TypedText<
  { callEndedStream: { __typename: "CallEnded"; endAt: string } | { __typename: "StreamGap" } },
  never
> =
  "subscription ($after: String) { callEndedStream(after: $after) { __typename cursor ... on CallEnded { endAt } ... on StreamGap { after } } }";

describe("a server", () => {
  it.each(cases)("renders %s with %o and opens no connection", async (name, props, text) => {
    const rendered = render(name, props);
    expect(rendered.html).toContain(text);
    await new Promise(setImmediate);
    expect(rendered.requests()).toBe(0);
    expect(rendered.state).toEqual({ name: "idle" });
  });

  it("renders results with the types of the component's own documents", () => {
    const document: TypedText<{ taskProgress: { name: string | null } | null }, { taskId: string }> =
      "subscription ($taskId: ID!) { taskProgress(taskId: $taskId) { name } }";
    function Typed() {
      const { task } = useTask("7", { document });
      expectTypeOf(task).toEqualTypeOf<{ name: string | null } | null>();
      const { calls } = useCalls({ document: pages });
      expectTypeOf(calls).toEqualTypeOf<readonly { callee: string }[]>();
      const { items } = useCallEnded({ document: live });
      expectTypeOf(items).toEqualTypeOf<readonly StreamItem<{ __typename: "CallEnded"; endAt: string }>[]>();
      return createElement("p", null, task?.name ?? "no task", calls.length, items.length);
    }
    const client = createSwitchboardClient({ url: "https://calls.example/graphql" });
    const html = renderToString(createElement(SwitchboardProvider, { client }, createElement(Typed)));
    expect(html).toBe("<p>no task<!-- -->0<!-- -->0</p>");
  });

  it("says which provider a hook needs", () => {
    expect(() => renderToString(createElement(views.calls))).toThrow(/SwitchboardProvider/);
  });
});

describe.skipIf(!hasBrowser)("the browser", () => {
  const world = createWorld();

  it.each(cases.filter(([, props]) => props !== cases[1]?.[1]))(
    "takes over %s with %o without a mismatch",
    async (name, props) => {
      await using page = await world.open();
      await page.run("hydrate", name, render(name, props).html, props);
      await until(async () => (await page.run("renders")) > 0);
      expect(await page.run("recoverable")).toEqual([]);
      expect(page.problems).toEqual([]);
    },
  );

  it("takes over a list that a server rendered, and goes on behind its head", async () => {
    for (const session_id of ["hydrated-1", "hydrated-2"]) await world.gateway.deliver(callEndedEvent({ session_id }));
    const query = "{ callEndedEvents(first: 1, order: NEWEST_FIRST) { headCursor nodes { cursor sessionId } } }";
    const { data } = await world.gateway.ask<{ callEndedEvents: typeof initial }>(query);
    const props = { initial: data?.callEndedEvents };
    await world.gateway.deliver(callEndedEvent({ session_id: "hydrated-3" }));
    await using page = await world.open();
    await page.run("hydrate", "live", render("live", props).html, props);
    await until(async () => JSON.stringify(await page.run("result")).includes("hydrated-3"));
    const { items } = (await page.run("result")) as { items: { call: { sessionId: string } }[] };
    expect(items.map(({ call }) => call.sessionId)).toEqual(["hydrated-3", "hydrated-2"]);
    expect(await page.run("recoverable")).toEqual([]);
  });
});
