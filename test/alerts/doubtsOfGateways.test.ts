// What looks at tasks could not tell, as two gateways on one database show it.
import { expect, it } from "vitest";
import { postgres } from "../store/databases.ts";
import { NO_SERVICE, startGateway, type GatewayAddress } from "../support/gateway.ts";
import { until } from "../support/until.ts";
import { alertSetup } from "./contract.ts";
import { rulesFile } from "./ofGateway.ts";
import { answerRate } from "./judging.ts";
import { noCalls, peopleLeft } from "./silentWorld.ts";

// https://github.com/grafana/grafana/issues/71203
it("Each gateway tells why a rule on tasks could not be judged, also the one that does not evaluate", async () => {
  const { url } = await postgres.create();
  const rules = rulesFile(noCalls(), peopleLeft(), answerRate());
  const env = { ...rules.env, DATABASE_URL: url };
  const overrides = { alertTimes: alertSetup.TIMES };
  await using first = await startGateway(NO_SERVICE, env, overrides);
  await using second = await startGateway(NO_SERVICE, env, overrides);
  const doubts = async ({ ask }: GatewayAddress) => {
    const { data } = await ask<{ alertRules: { doubts: string[] }[] }>("{ alertRules { doubts } }");
    return data?.alertRules.map((rule) => rule.doubts);
  };
  const unread = ["Task 7 could not be read from the service."];
  for (const gateway of [first, second]) {
    const found = await until(async () => {
      const told = await doubts(gateway);
      return (told?.[0]?.length ?? 0) > 0 && told;
    });
    expect(found).toEqual([unread, unread, []]);
  }
  rules.write(noCalls(), answerRate({ name: "left" }));
  for (const gateway of [first, second])
    await until(async () => JSON.stringify(await doubts(gateway)) === JSON.stringify([unread, []]));
});
