import { once } from "node:events";
import type { ServerResponse } from "node:http";
import { connect } from "node:net";
import { describe, expect, it } from "vitest";
import { clientSignalOf, type ClientSignal } from "../../src/graphql/clientSignal.ts";
import { until } from "../support/until.ts";
import { exchange, serve } from "../server/serve.ts";

const ASK = "GET / HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n";

/** A client that disconnects before the response. */
async function serveClient(onAsked: (signalOf: ClientSignal, response: ServerResponse) => void) {
  let asked: { signalOf: ClientSignal; response: ServerResponse } | undefined;
  const server = await serve((_, response) => {
    asked = { signalOf: clientSignalOf(response), response };
    onAsked(asked.signalOf, response);
  });
  const socket = connect(server.port, "127.0.0.1");
  socket.write(ASK);
  await until(() => asked !== undefined);
  socket.destroy();
  await until(() => asked?.response.destroyed === true);
  return { server, ...(asked as NonNullable<typeof asked>) };
}

describe("the signal of a client", () => {
  it("aborts when the client disconnects before the response was sent", async () => {
    const signals: AbortSignal[] = [];
    const { server } = await serveClient((signalOf) => signals.push(signalOf()));
    await using _ = server;
    await until(() => signals[0]?.aborted === true);
    expect(signals.map(({ aborted }) => aborted)).toEqual([true]);
  });

  it("is aborted already if it is created after the disconnect", async () => {
    const { server, signalOf } = await serveClient(() => undefined);
    await using _ = server;
    expect(signalOf().aborted).toBe(true);
    expect(signalOf()).toBe(signalOf());
  });

  it("does not abort after a complete response", async () => {
    const signals: AbortSignal[] = [];
    const closed: Promise<unknown>[] = [];
    await using server = await serve((_, response) => {
      signals.push(clientSignalOf(response)());
      closed.push(once(response, "close"));
      response.end("all of it");
    });
    expect(await exchange(server.port, ASK)).toContain("all of it");
    await Promise.all(closed);
    expect(signals.map(({ aborted }) => aborted)).toEqual([false]);
  });
});
