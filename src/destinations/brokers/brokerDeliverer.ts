// Kind `broker`: publishes the event as the graph shows it to a stream of Redis or of NATS JetStream.
import { randomUUID } from "node:crypto";
import { instantOf } from "../../format/instant.ts";
import type { Deliverer } from "../deliverer.ts";
import type { Destination } from "../destinationFile.ts";
import { deliverShown, EVENT_TYPE, TEST_TYPE, type ReadEvent } from "../eventDeliverer.ts";
import { failure, type Broker, type BrokerOptions } from "./broker.ts";
import { brokerAddressOf } from "./brokerAddress.ts";
import { createNatsBroker } from "./natsBroker.ts";
import { createRedisBroker } from "./redisBroker.ts";

export type BrokerDestination = Extract<Destination, { kind: "broker" }>;

export interface BrokerDelivererDeps {
  readEvent: ReadEvent;
  clock: () => number;
  options: BrokerOptions;
}

export function createBrokerDeliverer(
  destination: BrokerDestination,
  { readEvent, clock, options }: BrokerDelivererDeps,
): Deliverer {
  const broker = openBroker(destination, options);
  return {
    deliver: (event, signal) =>
      deliverShown(readEvent, event, destination, signal, ({ id, data, errors }) => {
        const body = JSON.stringify({ id, type: EVENT_TYPE, timestamp: event.receivedAt, data, errors });
        return broker.publish({ id, revision: event.revision, type: EVENT_TYPE, data, body }, signal);
      }),
    test(signal) {
      const id = `test_${randomUUID()}`;
      const message = { id, type: TEST_TYPE, timestamp: instantOf(clock()), data: { destination: destination.name } };
      return broker.publish({ id, revision: 0, type: TEST_TYPE, data: null, body: JSON.stringify(message) }, signal);
    },
    [Symbol.asyncDispose]: () => broker[Symbol.asyncDispose](),
  };
}

function openBroker(destination: BrokerDestination, options: BrokerOptions): Broker {
  const address = brokerAddressOf(destination.url, options.rules);
  // The file was checked, with the same rules.
  if (typeof address === "string") return { publish: async () => failure(address), async [Symbol.asyncDispose]() {} };
  // The file has one of these two: the one that brokers of this kind need.
  const { stream = "", subject = "" } = destination;
  return address.kind === "redis"
    ? createRedisBroker(address, { ...destination, stream }, options)
    : createNatsBroker(address, { ...destination, subject }, options);
}
