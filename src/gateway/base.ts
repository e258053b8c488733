// What the parts of a gateway are made from. A factory gets these, and the parts that its own one is made of.
import type { AlertTimes } from "../alerts/startAlerts.ts";
import type { Config, UpstreamConfig } from "../config/config.ts";
import type { AlertDeliveriesDeps, AlertNotice } from "../destinations/alerts/alertDeliveries.ts";
import type { DestinationsDeps } from "../destinations/startDestinations.ts";
import type { PurgeTimes } from "../events/retention.ts";
import type { Logger } from "../logger.ts";
import type { Observers } from "../server/metrics/observers.ts";
import type { Store } from "../store/store.ts";
import type { Tracing } from "../tracing/tracing.ts";
import type { Upstream } from "../upstream/upstream.ts";
import type { LoopTurns } from "../util/loopTurns.ts";
import type { Waiting } from "../util/start/waiting.ts";
import type { TimeSlices } from "../util/timeSlices.ts";

/** Config with the service filled in: where none is configured, it is the sandbox. */
export interface GatewayConfig extends Omit<Config, "sandbox" | "upstream" | "logLevel"> {
  upstream: UpstreamConfig;
}

export interface GatewayOverrides {
  /** How a start waits. By default nothing ends its waiting. */
  waiting?: Waiting;
  // Parts that a test replaces.
  store?: Store;
  upstream?: Upstream;
  /** The machine's clock. */
  clock?: () => number;
  /** The clock runs faster than time. */
  isClockSimulated?: boolean;
  /** When expired data is deleted. */
  purgeTimes?: PurgeTimes;
  /** When destinations try again. */
  destinationTimes?: Pick<DestinationsDeps, "retries" | "times">;
  /** How often rules on alerts are looked at. */
  alertTimes?: AlertTimes;
  /** When destinations are told of alerts again. */
  alertDeliveryTimes?: Pick<AlertDeliveriesDeps<AlertNotice>, "retries" | "times">;
}

export interface Base {
  config: GatewayConfig;
  overrides: GatewayOverrides;
  observers: Observers;
  tracing: Tracing;
  turns: LoopTurns;
  slices: TimeSlices;
  waiting: Waiting;
  log: Logger;
}
