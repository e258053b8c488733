// Publishes messages to a broker of a test.
import { expect, onTestFinished } from "vitest";
import type { Broker, BrokerOptions } from "../../../src/destinations/brokers/broker.ts";
import { brokerAddressOf } from "../../../src/destinations/brokers/brokerAddress.ts";
import { createRedisBroker, type RedisStream } from "../../../src/destinations/brokers/redisBroker.ts";
import { createHostRules } from "../../../src/upstream/outside/hostRules.ts";
import { STREAM } from "./redisServer.ts";

export const TAKEN = { outcome: "taken", status: null };
export const failedWith = (text: string | RegExp) => ({
  outcome: "failed",
  status: null,
  text: typeof text === "string" ? text : (expect.stringMatching(text) as string),
  retryAfterMs: null,
  isOwn: false,
});
export const LOST = /^The broker could not be reached, or the connection was lost(: [^.]+)?( \([A-Z_]+\))?\.$/;

/** No wait of a test ends by a limit, unless it is about limits. */
export const PATIENT = { answerMs: 120_000, idleMs: 120_000 };

export const rulesFor = (...ports: number[]) =>
  createHostRules(
    ports.flatMap((port) => ["127.0.0.1", "localhost"].map((host) => ({ host, port }))),
    [],
    "DESTINATION_HOSTS",
  );

export interface Publishing {
  broker: Broker;
  publish(id: string, signal?: AbortSignal): ReturnType<Broker["publish"]>;
}

export const publishingWith = (broker: Broker): Publishing => {
  onTestFinished(() => broker[Symbol.asyncDispose]());
  return {
    broker,
    publish: (id, signal = new AbortController().signal) =>
      broker.publish({ id, revision: 1, type: "call.ended", data: {}, body: JSON.stringify({ id }) }, signal),
  };
};

export function redisAt(url: string, own: Partial<RedisStream> = {}, options: Partial<BrokerOptions> = {}) {
  const rules = options.rules ?? rulesFor(Number(URL.parse(url)?.port));
  const address = brokerAddressOf(url, rules);
  if (typeof address === "string") throw new Error(address);
  return publishingWith(createRedisBroker(address, { stream: STREAM, ...own }, { limits: PATIENT, ...options, rules }));
}
