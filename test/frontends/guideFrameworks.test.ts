// The blocks of docs/frontends/setups.md for Vue and Angular, run as printed against a gateway, each in the framework itself.
import { join } from "node:path";
import { expect, it } from "vitest";
import { endCalls } from "../client/clients.ts";
import { ROOT } from "../house/sources.ts";
import { startGateway } from "../support/gateway.ts";
import { startProgram } from "../support/program.ts";
import { until } from "../support/until.ts";
import { guideBlock } from "./guide.ts";
import { createGuideApp } from "./guideApp.ts";

const FRAMEWORKS = "Vue, Svelte, Angular";
const CLIENT = join(ROOT, "client/src/index.ts");

/** Prints the calls of a page's list at each change, and ends it when a call came live. */
const begin = (url: string) => `
  import { createSwitchboardClient } from "${CLIENT}";
  const client = createSwitchboardClient({ url: "${url}/graphql" });
  const show = (calls, end) => {
    console.log(calls.map(({ sessionId }) => sessionId).join() || "none");
    if (calls.length > 1) end();
  };`;

/** A component that renders nothing, in a tree without a page. */
const VUE = `
  import { createRenderer } from "vue";
  import { useLiveCalls } from "./framework.ts";
  const nothing = () => null;
  const { createApp } = createRenderer({
    createComment: () => ({}), createElement: () => ({}), createText: () => ({}), insert: nothing, remove: nothing,
    parentNode: nothing, nextSibling: nothing, patchProp: nothing, setElementText: nothing, setText: nothing,
  });
  const app = createApp({
    setup() {
      const calls = useLiveCalls(client);
      return () => (show(calls.value, () => setTimeout(() => app.unmount())), null);
    },
  });
  app.mount({});`;

/** The injector of a part of an app, which ends as a component's does. */
const ANGULAR = `
  import { createEnvironmentInjector, Injector, runInInjectionContext } from "@angular/core";
  import { injectLiveCalls } from "./framework.ts";
  const injector = createEnvironmentInjector([], Injector.NULL);
  const calls = runInInjectionContext(injector, () => injectLiveCalls(client));
  let shown;
  const timer = setInterval(() => {
    if (shown === calls()) return;
    show((shown = calls()), () => (clearInterval(timer), injector.destroy()));
  }, 1);`;

it.each([
  ["Vue", "vue", VUE],
  ["Angular", "@angular/core", ANGULAR],
])(
  "The block of %s shows the newest calls and each one that ends, and stops with its component",
  async (_, name, main) => {
    await using gateway = await startGateway({ url: "http://127.0.0.1:9" });
    await endCalls(gateway, ["listed"]);
    await using app = await createGuideApp({
      "package.json": '{ "type": "module" }',
      "src/liveCalls.ts": guideBlock(FRAMEWORKS, "ts", "export function liveCalls"),
      "src/framework.ts": guideBlock(FRAMEWORKS, "ts", `from "${name}"`),
      "src/main.mjs": begin(gateway.url) + main,
    });
    expect(await app.typeFaults()).toBe("");
    await using program = startProgram(["src/main.mjs"], {}, app.path(""));
    await until(() => program.output.includes("listed"));
    await endCalls(gateway, ["live"]);
    // Nothing that the client holds keeps the process after the list has ended.
    expect(await program.exited).toBe(0);
    expect(program.output).toEqual(["none", "listed", "live,listed"]);
  },
);
