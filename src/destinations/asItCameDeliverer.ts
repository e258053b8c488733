// Kind `asItCame`: posts the body of the webhook byte for byte, with the header that the receiver expects. After the log and not beside it: what
// is sent was stored before, so that nothing is lost, and the webhook's answer does not wait for the receiver.
import type { RawDeliveryStore } from "../store/events/rawDeliveryStore.ts";
import type { Attempt, Deliverer } from "./deliverer.ts";
import type { Destination } from "./destinationFile.ts";
import { JSON_HEADERS, type SendMessage } from "./httpSender.ts";

export interface AsItCameDelivererDeps {
  send: SendMessage;
  rawDeliveries: Pick<RawDeliveryStore, "at">;
}

/** The call was found in the service's list, or its body expired. */
const NO_BODY = "No body is kept for this event: no webhook brought it, or RAW_DELIVERY_DAYS are over.";
/** As the service writes it (service.md, section 6), with nothing of a call. */
const TEST_BODY = JSON.stringify({ event_name: "switchboard.test", event_data: {} });

export function createAsItCameDeliverer(
  { url, authorization }: Extract<Destination, { kind: "asItCame" }>,
  { send, rawDeliveries }: AsItCameDelivererDeps,
): Deliverer {
  function post(body: string | Uint8Array, signal: AbortSignal): Promise<Attempt> {
    const headers = { ...JSON_HEADERS, authorization };
    return send({ url, headers, body }, signal);
  }
  return {
    async deliver({ seq }, signal) {
      const body = await rawDeliveries.at(seq);
      return body === null ? { outcome: "missing", why: NO_BODY } : post(body, signal);
    },
    test: (signal) => post(TEST_BODY, signal),
    async [Symbol.asyncDispose]() {},
  };
}
