// A page that follows calls and creates tasks, with the client as a page bundles it. The test calls what it puts into `window`.
import { createLocalCursorStore, createLocalKeyStore, createSwitchboardClient } from "../../client/src/index.ts";
import type { TaskInput } from "../../client/src/index.ts";

const settings = new URLSearchParams(location.search);
const violations: string[] = [];
addEventListener("securitypolicyviolation", (event) => violations.push(event.violatedDirective));

const client = createSwitchboardClient({
  url: settings.get("gateway") ?? "/graphql",
  keyStore: createLocalKeyStore(),
  ...(settings.has("sse") ? { webSocketImpl: null } : {}),
});
const seen: string[] = [];

export interface LivePage {
  violations: string[];
  seen: string[];
  state(): string;
  follow(): void;
  create(input: TaskInput): Promise<{ id: string | undefined; replayed: boolean }>;
}

const page: LivePage = {
  violations,
  seen,
  state: () => client.state.name,
  follow() {
    const cursorStore = createLocalCursorStore("live");
    void (async () => {
      for await (const item of client.callEnded({ cursorStore }))
        seen.push(item.type === "call" ? item.call.sessionId : item.type);
    })();
  },
  async create(input) {
    const { submission, replayed } = await client.createTask(input);
    return { id: submission?.id, replayed };
  },
};
Object.assign(globalThis, { page });
