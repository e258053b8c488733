// Tells destinations of alerts: which of them want to know, and what they get.
import { alertText, keyNameOf, overText, unitOf } from "../alerts/alertText.ts";
import { destinationNameOf } from "../alerts/destinationAlertText.ts";
import type { WatchedFile } from "../auth/watchedFile.ts";
import { startAlertDeliveries, type AlertNotice } from "../destinations/alerts/alertDeliveries.ts";
import { eventMessage, type AlertMessage } from "../destinations/alerts/alertMessages.ts";
import { chatMessage } from "../destinations/alerts/chats.ts";
import { getsAlerts, getsCalls, isChat, type AnyDestination } from "../destinations/destinationFile.ts";
import type { SendMessage } from "../destinations/httpSender.ts";
import { maskText } from "../privacy/maskPhone.ts";
import { nodeId } from "../resolvers/nodeId.ts";
import type { AlertNotice as StoredNotice } from "../store/alerts/alertStore.ts";
import type { Signal } from "../util/signal.ts";
import type { Base } from "./base.ts";
import type { Storage } from "./createStorage.ts";

export interface ToldAlertsDeps extends Base {
  storage: Storage;
  file: Pick<WatchedFile<readonly AnyDestination[]>, "current" | "onChange">;
  send: SendMessage;
  /** Notified when something may have been told. */
  told: Signal;
}

interface Notice extends AlertNotice {
  stored: StoredNotice;
}

const BATCH = 20;

export function startToldAlerts({
  config,
  overrides,
  observers,
  storage,
  file,
  send,
  told,
  log,
}: ToldAlertsDeps): AsyncDisposable {
  const { alerts, destinations, readers, leases } = storage.store;
  const clock = storage.clock.now;
  const receiverOf = (destination: AnyDestination) => ({
    name: destination.name,
    text: JSON.stringify(destination),
    getsCalls: getsCalls(destination),
    deliver: ({ stored }: Notice, signal: AbortSignal) => send(messageOf(stored, destination), signal),
  });
  function messageOf(stored: StoredNotice, destination: AnyDestination) {
    const now = clock();
    if (isChat(destination)) {
      const { text, url: link } = alertMessage(stored, destination.language);
      return chatMessage(destination, { text, link, now });
    }
    const secrets = destination.kind === "event" ? destination.secrets : [];
    return eventMessage(alertMessage(stored, "en"), { url: destination.url, secrets, now });
  }
  function alertMessage({ kind, alert }: StoredNotice, language: "en" | "zh"): AlertMessage {
    const { rule, taskId, assistantId, value, threshold, calls, raisedAt, resolvedAt, ending } = alert;
    const isRaised = kind === "RAISED";
    const sentence = alertText(alert, language, maskText);
    const text = isRaised ? sentence : `${overText(alert, language)} ${sentence}`;
    const { publicUrl } = config;
    const destination = destinationNameOf(alert);
    const path = destination !== null ? "destinations" : taskId === null ? "" : `tasks?task=${taskId}`;
    const url = publicUrl && `${publicUrl}/${path}`;
    const id = nodeId("Alert", String(alert.id));
    const found = {
      id,
      rule,
      kind: kindOf(alert.kind),
      text,
      url,
      taskId,
      assistantId,
      key: keyNameOf(alert) === null ? null : maskText(keyNameOf(alert) ?? ""),
      destination,
      value,
      threshold,
      unit: unitOf(alert),
      calls,
      raisedAt,
    };
    const over = isRaised ? { resolvedAt: null, ending: null } : { resolvedAt, ending };
    const at = isRaised ? raisedAt : (resolvedAt ?? raisedAt);
    const data = { ...found, status: isRaised ? "raised" : "resolved", ...over };
    return { id: `alert_${alert.id}_${kind.toLowerCase()}`, at, data, text, url };
  }
  return startAlertDeliveries<Notice>({
    receivers: {
      current: () => file.current().filter(wantsAlerts).map(receiverOf),
      onChange: file.onChange,
    },
    notices: {
      async after(place) {
        const found = await alerts.noticesAfter(place, BATCH);
        return found.map((stored) => {
          const { id: alert } = stored.alert;
          return { place: stored.id, alert, destination: destinationNameOf(stored.alert), stored };
        });
      },
      head: alerts.noticeHead,
    },
    told,
    readers,
    leases,
    store: destinations,
    mask: maskText,
    clock,
    observer: observers.destinations,
    log,
    ...overrides.alertDeliveryTimes,
  });
}

/** As the graph writes it, such as ANSWER_RATE. */
const kindOf = (kind: string) => kind.replaceAll(/[A-Z]/g, (letter) => `_${letter}`).toUpperCase();

const wantsAlerts = (destination: AnyDestination): boolean => destination.enabled && getsAlerts(destination);
