import { writeFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { readAlertRules } from "../../src/alerts/alertFile.ts";
import { readDestinations } from "../../src/destinations/destinationFile.ts";
import { createDestinationRules, destinationHosts } from "../../src/gateway/destinationRules.ts";
import { schema } from "../../src/schema/schema.ts";
import { blocksOf } from "../docs/blocks.ts";
import { tempFile } from "../store/tempStore.ts";
import { startGateway } from "../support/gateway.ts";
import { startSandbox } from "../support/sandbox.ts";
import { openSse } from "../support/streams.ts";
import { until } from "../support/until.ts";
import { miss, rulesFile } from "./ofGateway.ts";
import { answerRate } from "./judging.ts";

const blocks = (language: string) => blocksOf("docs/alerts.md").filter((block) => block.language === language);

describe("docs/alerts.md", () => {
  it("shows rules that can be used", async () => {
    const read = blocks("json")
      .slice(0, 1)
      .map(async ({ code }) => {
        const file = tempFile("alerts.json");
        writeFileSync(file, code);
        return (await readAlertRules(file)).map(({ name }) => name);
      });
    const names = ["answer-rate", "calls-fail", "recordings", "silence", "left-over", "limits", "crm-away"];
    expect((await Promise.all(read)).flat()).toEqual(names);
  });

  it("shows destinations that get alerts", async () => {
    const file = tempFile("destinations.json");
    writeFileSync(file, blocks("json")[1]?.code ?? "");
    const hosts = destinationHosts({ file, hosts: null });
    const limits = { queryBudget: 1000, logBudget: 1000 };
    const rules = createDestinationRules({ schema, hosts, keepsBodies: true, findTrusted: null, ...limits });
    const found = await readDestinations(file, rules);
    expect(found).toMatchObject([{ kind: "slack" }, { kind: "event", alerts: true }]);
  });

  it("shows documents that list an alert, tell it and acknowledge it", async () => {
    const [list = "", follow = "", ofTask = "", acknowledge = ""] = blocks("graphql").map(({ code }) => code);
    await using sandbox = await startSandbox();
    const { assistants } = await sandbox.control<{ assistants: { id: string }[] }>("GET", "");
    await sandbox.control("POST", "seed", { tasks: [{ id: "7", assistantId: assistants[0]?.id, name: "Seven" }] });
    await using gateway = await startGateway(sandbox, rulesFile(answerRate()).env);
    await using stream = await openSse<{ alertRaised: { id: string } }>(gateway.url, { query: follow });
    const told = stream.next();
    const ids = await until(async () => {
      await miss(gateway, 1);
      const { data } = await gateway.ask<{ alerts: { nodes: { id: string }[] } }>(list);
      return data?.alerts.nodes[0] && data.alerts.nodes.map(({ id }) => id);
    });
    const id = (await told).data?.alertRaised.id;
    expect(ids).toEqual([id]);
    const { data: task } = await gateway.ask(ofTask, { taskId: "7" });
    expect(task).toMatchObject({ task: { alerts: [{ text: expect.stringContaining("task 7") as string }] } });
    const { data } = await gateway.ask(acknowledge, { id });
    expect(data).toMatchObject({ acknowledgeAlert: { acknowledgedAt: expect.any(String) as string } });
  });
});
