// Factories of destinations, which need the scope admin.
import type { DeliveryAnswer, Destination, DestinationLetter } from "../../generated/graph.ts";
import { callEnded } from "./entities.ts";
import { createFactory } from "./factory.ts";

const AT = "2026-11-20T01:31:00.000Z";

export const deliveryAnswer = createFactory<DeliveryAnswer>("DeliveryAnswer", { at: AT, status: 204, text: null });
export const destination = createFactory<Destination>("Destination", {
  name: "crm",
  kind: "event",
  getsCalls: true,
  url: "https://crm.example/hooks/calls",
  order: "free",
  enabled: true,
  state: "ACTIVE",
  disabledFor: null,
  cursor: "event-head",
  lag: 0,
  waitingAlerts: null,
  failures: 0,
  failingSince: null,
  secondsToNext: null,
  delivered: 4000,
  skipped: 0,
  waitingLetters: 0,
  deadLetters: 0,
  lastAnswer: () => deliveryAnswer(),
});
export const destinationLetter = createFactory<DestinationLetter>("DestinationLetter", {
  cursor: "event-head",
  event: () => callEnded(),
  attempts: 3,
  firstAt: AT,
  secondsToNext: 30,
  lastAnswer: () => deliveryAnswer({ status: 500, text: "not now" }),
});
