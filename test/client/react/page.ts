// What runs in the browser: a component for each hook, which shows what the hook returns. The tests drive it by `window.page`.
import { createElement, StrictMode, useEffect, type FunctionComponent } from "react";
import { createRoot, hydrateRoot, type Root } from "react-dom/client";
import { createLocalKeyStore, createSwitchboardClient } from "../../../client/src/index.ts";
import { SwitchboardProvider, useCreateTask } from "../../../client/src/react/index.ts";
import { views } from "./views.ts";

type Props = Record<string, unknown>;
type Methods = Record<string, ((...args: unknown[]) => unknown) | undefined>;

interface Container {
  innerHTML: string;
}
/** The test's types are those of Node; the page has a few more things. */
const { document, location } = globalThis as unknown as {
  document: { createElement(name: string): Container; body: { append(container: Container): void } };
  location: { search: string };
};

const url = new URLSearchParams(location.search).get("gateway") as string;
const client = createSwitchboardClient({ url });
const container = document.createElement("main");
document.body.append(container);

/** What the view's hook returned last, and how often it was called. */
const last: { result: unknown; renders: number } = { result: null, renders: 0 };
const recoverable: string[] = [];
let root: Root | null = null;
let view: keyof typeof views = "calls";

const show = (result: unknown): void => {
  last.result = result;
  last.renders += 1;
};

function tree(props: Props) {
  const element = createElement(views[view] as FunctionComponent<Props>, { ...props, show });
  return createElement(StrictMode, null, createElement(SwitchboardProvider, { client }, element));
}

/** Sends a task in an effect, which StrictMode runs twice. */
function SendsOnMount({ input }: { input: Parameters<ReturnType<typeof useCreateTask>["create"]>[0] }) {
  const { create, state } = useCreateTask({ keyStore: createLocalKeyStore() });
  useEffect(() => void create(input), [create, input]);
  show({ state });
  return null;
}

const page = {
  mount(name: keyof typeof views, props: Props = {}) {
    view = name;
    root = createRoot(container as never);
    root.render(tree(props));
  },
  hydrate(name: keyof typeof views, html: string, props: Props = {}) {
    view = name;
    container.innerHTML = html;
    root = hydrateRoot(container as never, tree(props), {
      onRecoverableError: (error) => recoverable.push(String(error)),
    });
  },
  sendOnMount(input: never) {
    const element = createElement(SendsOnMount, { input });
    root = createRoot(container as never);
    root.render(createElement(StrictMode, null, createElement(SwitchboardProvider, { client }, element)));
  },
  update: (props: Props) => root?.render(tree(props)),
  unmount: () => root?.unmount(),
  call: (method: string, ...args: unknown[]) => (last.result as Methods)[method]?.(...args),
  result: () => JSON.parse(JSON.stringify(last.result)) as unknown,
  renders: () => last.renders,
  recoverable: () => recoverable,
  state: () => client.state.name,
};
export type TestPage = typeof page;
Object.assign(globalThis, { page });
