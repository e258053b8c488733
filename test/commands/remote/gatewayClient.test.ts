import { describe, expect, it } from "vitest";
import { createGatewayClient } from "../../../src/commands/remote/gatewayClient.ts";
import { serve } from "../../server/serve.ts";

const EVENT = 'event: next\ndata: {"data":{"callEnded":1}}\n\n';

describe("A gateway whose connection breaks in the middle of an answer", () => {
  it("is reported as broken by a query", async () => {
    await using server = await serve((_, response) => {
      response.writeHead(200, { "content-length": 100 }).write('{"data":', () => response.destroy());
    });
    const { query } = createGatewayClient(server.url, {});
    await expect(query("{ stats }")).rejects.toThrow("The connection to the gateway broke.");
  });

  it("is reported as broken by a subscription, after the events that came", async () => {
    await using server = await serve((_, response) => {
      response.writeHead(200, { "content-type": "text/event-stream" }).write(EVENT, () => response.destroy());
    });
    const { subscribe } = createGatewayClient(server.url, {});
    const events: unknown[] = [];
    const reading = async () => {
      for await (const event of subscribe("subscription { callEnded }")) events.push(event);
    };
    await expect(reading()).rejects.toThrow("The connection to the gateway broke.");
    expect(events).toEqual([{ callEnded: 1 }]);
  });
});
