// The setups of docs/frontends/setups.md that quote no example, run as printed against a gateway.
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fetchQuery, requestSubscription, type Environment, type GraphQLTaggedNode } from "relay-runtime";
import { describe, expect, it } from "vitest";
import { endCalls } from "../client/clients.ts";
import { ROOT, textAt } from "../house/sources.ts";
import { startGateway, type TestGateway } from "../support/gateway.ts";
import { startProgram } from "../support/program.ts";
import { until } from "../support/until.ts";
import { guideBlock } from "./guide.ts";
import { createGuideApp } from "./guideApp.ts";

const STREAMS = "graphql-ws and graphql-sse";
const FRAMEWORKS = "Vue, Svelte, Angular";

const at = (gateway: TestGateway, code: string) => code.replaceAll("127.0.0.1:4000", new URL(gateway.url).host);

async function headCursor(gateway: TestGateway): Promise<string> {
  interface Events {
    callEndedEvents: { headCursor: string };
  }
  const { data } = await gateway.ask<Events>("{ callEndedEvents(first: 1) { headCursor } }");
  return data?.callEndedEvents.headCursor ?? "";
}

describe(`The setup in docs/frontends/setups.md`, () => {
  it.each(["graphqlWs.ts", "graphqlSse.ts"])("with %s prints each call that ended since the list", async (recipe) => {
    await using gateway = await startGateway({ url: "http://127.0.0.1:9" });
    await endCalls(gateway, ["listed"]);
    const begin = `const headCursor = ${JSON.stringify(await headCursor(gateway))};\n`;
    const main = begin + at(gateway, guideBlock(STREAMS, "ts", recipe));
    expect(main).toContain(gateway.url.replace("http:", ""));
    await using app = await createGuideApp({ "src/main.ts": main, "package.json": '{ "type": "module" }' });
    await app.copy(`examples/recipes/${recipe}`, `src/${recipe}`);
    expect(await app.typeFaults()).toBe("");
    await endCalls(gateway, ["missed"]);
    await using program = startProgram(["src/main.ts"], {}, app.path(""));
    await until(() => program.output.length > 0);
    await endCalls(gateway, ["live"]);
    await until(() => program.output.length > 1);
    expect(program.output).toEqual(["missed", "live"]);
  });

  it("of Relay asks and follows by the IDs of relay-compiler's manifest, at a gateway that takes no other text", async () => {
    await using app = await createGuideApp({
      "relay.config.json": guideBlock("relay-compiler", "json"),
      "persisted-documents.json": "{}",
      "src/calls.ts": `import { graphql } from "react-relay";
        graphql\`query callsQuery { callEndedEvents(first: 1) { headCursor } }\`;
        graphql\`subscription callsSubscription($after: String) { callEnded(after: $after) { cursor sessionId } }\`;`,
    });
    await app.run("relay-compiler");
    for (const recipe of ["graphqlWs.ts", "relaySubscribe.ts"])
      await app.copy(`examples/recipes/${recipe}`, `src/${recipe}`);
    const env = { TRUSTED_DOCUMENTS: app.path("persisted-documents.json") };
    await using gateway = await startGateway({ url: "http://127.0.0.1:9" }, env);
    await writeFile(app.path("src/environment.ts"), at(gateway, guideBlock("Relay", "ts")));
    expect(await app.typeFaults()).toBe("");
    const artifact = async (name: string) =>
      (await app.load<{ default: GraphQLTaggedNode }>(`src/__generated__/${name}.graphql.ts`)).default;
    const { environment } = await app.load<{ environment: Environment }>("src/environment.ts");

    interface Calls {
      response: { callEndedEvents: { headCursor: string } };
      variables: object;
    }
    const data = await fetchQuery<Calls>(environment, await artifact("callsQuery"), {}).toPromise();
    const sessions: unknown[] = [];
    let failure: Error | null = null;
    const untilReceived = (count: number) =>
      until(() => {
        if (failure) throw failure;
        return sessions.length >= count;
      });
    const subscription = await artifact("callsSubscription");
    await endCalls(gateway, ["missed"]);
    const { dispose } = requestSubscription<{ response: { callEnded: { sessionId: string } }; variables: object }>(
      environment,
      {
        subscription,
        variables: { after: data?.callEndedEvents.headCursor },
        onNext: (next) => sessions.push(next?.callEnded.sessionId),
        onError: (error) => (failure = error),
      },
    );
    await untilReceived(1);
    await endCalls(gateway, ["live"]);
    await untilReceived(2);
    dispose();
    expect(sessions).toEqual(["missed", "live"]);
  });
});

describe("A setup in docs/frontends/setups.md without a client of GraphQL", () => {
  it("as a store of Svelte shows the newest calls, and each one that ends", async () => {
    await using gateway = await startGateway({ url: "http://127.0.0.1:9" });
    await endCalls(gateway, ["listed"]);
    expect(guideBlock(FRAMEWORKS, "ts", "export function liveCalls")).toBe(textAt("examples/recipes/liveCalls.ts"));
    const files = {
      "package.json": '{ "type": "module" }',
      "src/liveCalls.ts": guideBlock(FRAMEWORKS, "ts", "export function liveCalls"),
      "src/calls.ts": at(gateway, guideBlock(FRAMEWORKS, "ts", "export const calls")),
    };
    await using app = await createGuideApp(files);
    expect(await app.typeFaults()).toBe("");
    // Node does not know the paths of tsconfig.json, and the client's sources run as they are.
    for (const [name, text] of Object.entries(files))
      await writeFile(
        app.path(name),
        text.replaceAll('"switchboard-client"', `"${join(ROOT, "client/src/index.ts")}"`),
      );
    interface Store {
      calls: { subscribe(set: (calls: readonly { sessionId: string }[]) => void): () => void };
    }
    const { calls } = await app.load<Store>("src/calls.ts");
    const shown: string[] = [];
    const end = calls.subscribe((now) => void shown.push(now.map(({ sessionId }) => sessionId).join()));
    expect(shown).toEqual([""]);
    await until(() => shown.includes("listed"));
    await endCalls(gateway, ["live"]);
    await until(() => shown.includes("live,listed"));
    end();
    expect(shown).toEqual(["", "listed", "live,listed"]);
  });

  it("as plain fetch gives the data, and says why a field is missing", async () => {
    await using gateway = await startGateway({ url: "http://127.0.0.1:9" });
    const main = `${at(gateway, guideBlock("Plain fetch", "js"))}
      console.warn = (...said) => console.log(...said);
      console.log(JSON.stringify(await ask("query ($first: Int!) { callLogs(first: $first) { totalCount } tasks { nodes { id } } }", { first: 2 })));`;
    await using app = await createGuideApp({ "src/main.mjs": main });
    await using program = startProgram(["src/main.mjs"], {}, app.path(""));
    await program.exited;
    expect(program.output).toEqual([
      expect.stringMatching(/^UPSTREAM_UNAVAILABLE The service could not be reached/),
      '{"callLogs":null,"tasks":{"nodes":[]}}',
    ]);
  });
});
