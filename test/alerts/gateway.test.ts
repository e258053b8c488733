// Alerts of whole gateways: from webhooks to those who are told.
import { describe, expect, it } from "vitest";
import { NO_SERVICE, startGateway, temporaryDirectory, type GatewayAddress } from "../support/gateway.ts";
import { bearer, writeKeys } from "../support/keys.ts";
import { openSse } from "../support/streams.ts";
import { until } from "../support/until.ts";
import { answerRate } from "./judging.ts";
import { miss, rulesFile } from "./ofGateway.ts";

const says =
  (text: string) =>
  ({ msg }: Record<string, unknown>) =>
    String(msg).includes(text);

const ALERTS = `{ alerts(first: 10) { nodes { id rule kind text taskId task { name } value resolvedAt ending } } }`;
interface Found {
  alerts: { nodes: { id: string; rule: string; text: string; ending: string | null }[] };
}
const found = async (gateway: GatewayAddress) => (await gateway.ask<Found>(ALERTS)).data?.alerts.nodes ?? [];

describe("Alerts of a gateway", () => {
  it("are raised, told, shown and acknowledged", async () => {
    const { env } = rulesFile(answerRate());
    await using gateway = await startGateway(NO_SERVICE, env);
    const stream = await openSse<{ data: { alertRaised: { text: string } } }>(gateway.url, {
      query: "subscription { alertRaised { text rule } }",
    });
    await until(async () => {
      await miss(gateway, 1);
      return (await found(gateway)).length > 0;
    });
    const text = "The answer rate of task 7 is 0 %, below 50 %: the last 4 calls.";
    const [alert] = await found(gateway);
    expect(alert).toMatchObject({ rule: "answers", kind: "ANSWER_RATE", taskId: "7", value: 0, text });
    expect(await stream.next()).toMatchObject({ data: { alertRaised: { text, rule: "answers" } } });
    const acknowledge = "mutation ($id: ID!) { acknowledgeAlert(id: $id) { acknowledgedBy } }";
    const { data } = await gateway.ask(acknowledge, { id: alert?.id });
    expect(data?.["acknowledgeAlert"]).toMatchObject({ acknowledgedBy: expect.any(String) as string });
    const audit = await gateway.ask("{ auditEvents(first: 1) { nodes { action subjectId } } }");
    expect(audit.data).toEqual({
      auditEvents: { nodes: [{ action: "ALERT_ACKNOWLEDGED", subjectId: alert?.id }] },
    });
    const node = await gateway.ask("query ($id: ID!) { node(id: $id) { ... on Alert { text(language: ZH) } } }", {
      id: alert?.id,
    });
    expect(node.data).toEqual({ node: { text: "任务 7 的接通率为 0 %，低于 50 %（最近 4 通）。" } });
  });

  it("keep their rules while the file is broken, and take those of the next one that can be used", async () => {
    const { env, write, ...file } = rulesFile(answerRate());
    await using gateway = await startGateway(NO_SERVICE, env);
    file.break();
    await gateway.line(says("ALERTS_FILE cannot be used; its previous content stays in use"));
    await until(async () => {
      await miss(gateway, 1);
      return (await found(gateway)).length > 0;
    });
    write(answerRate({ name: "other" }));
    const rules = await until(async () => {
      await miss(gateway, 1);
      const all = (await found(gateway)).map(({ rule }) => rule);
      return all.includes("other") && all;
    });
    expect(rules.toSorted()).toEqual(["answers", "other"]);
  });

  it("are warned of where a rule names what nothing shows", async () => {
    const { env } = rulesFile(answerRate({ assistants: ["99"] }), {
      ...answerRate({ name: "failed", above: 0.5, reasons: ["FALIED"] }),
      kind: "hangUpReason",
      below: undefined,
    });
    await using gateway = await startGateway(NO_SERVICE, env);
    await gateway.line(says("may never apply: No task or call has shown an assistant 99."));
    await gateway.line(says('may never apply: No call in the log has ended with "FALIED".'));
    const { data } = await gateway.ask("{ alertRules { name doubts } }");
    expect(data).toEqual({
      alertRules: [
        { name: "answers", doubts: ["No task or call has shown an assistant 99."] },
        { name: "failed", doubts: ['No call in the log has ended with "FALIED".'] },
      ],
    });
  });

  it("are looked at again when the keys change that their rules name", async () => {
    await using directory = await temporaryDirectory();
    const scopes = ["calls:read", "admin"];
    const keys = await writeKeys(directory.path, { web: scopes });
    const { env } = rulesFile({ name: "limits", kind: "keyLimit", atLeast: 0.8, keys: ["app"] });
    await using gateway = await startGateway(NO_SERVICE, { ...env, API_KEYS_FILE: keys });
    const doubts = async () => {
      const query = "{ alertRules { doubts } }";
      const answer = await gateway.ask<{ alertRules: { doubts: string[] }[] }>(
        query,
        {},
        { authorization: bearer("web") },
      );
      return answer.data?.alertRules[0]?.doubts ?? [];
    };
    const unlimited = "No key that it names has a limit that it watches.";
    await until(async () => (await doubts()).includes('API_KEYS_FILE has no key "app".'));
    await writeKeys(directory.path, { web: scopes, app: scopes });
    await until(async () => (await doubts()).length === 1);
    expect(await doubts()).toEqual([unlimited]);
  });
});
