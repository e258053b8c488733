// How webhooks fare in the process that answers.
import type {
  RefusalCount as RefusalCountData,
  RefusedWebhooks as RefusedWebhooksData,
  WebhookStatus as WebhookStatusData,
  WebhookTest as WebhookTestData,
} from "../resolvers/webhookStatus.ts";
import type { WebhookRefusal as Refusal } from "../webhook/webhookArrivals.ts";
import { builder, needs, safeText } from "./builder.ts";

const WebhookRefusal = builder.enumType("WebhookRefusal", {
  description: "Why a webhook was refused.",
  values: {
    MISSING_HEADER: { description: "It had no Authorization header, or two. Anybody can send such a request." },
    WRONG_HEADER: {
      description: "Its Authorization header was not WEBHOOK_AUTHORIZATION. Anybody can send such a request.",
    },
    WRONG_METHOD: { description: "Its Authorization header was right, and its method was not POST." },
    WRONG_PATH: { description: "Its Authorization header was right, and it came to another path than WEBHOOK_PATH." },
    WRONG_HOST: { description: "Its Authorization header was right, and its Host header did not name the gateway." },
    TOO_LARGE: { description: "Its body was too large." },
    NOT_STORED: { description: "The database did not take it. The service was asked to send it again." },
  } satisfies Record<Refusal, object>,
});

const WebhookRefusalCount = builder.objectRef<RefusalCountData>("WebhookRefusalCount").implement({
  description: "Number of webhooks that were refused for one reason.",
  ...needs("admin"),
  fields: (t) => ({
    reason: t.expose("reason", { type: WebhookRefusal, nullable: false, description: "Why they were refused." }),
    count: t.exposeFloat("count", { nullable: false, description: "Number of them." }),
  }),
});

const RefusedWebhooks = builder.objectRef<RefusedWebhooksData>("RefusedWebhooks").implement({
  description: "The webhooks that a process of the gateway refused after the last one that it accepted.",
  ...needs("admin"),
  fields: (t) => ({
    since: t.expose("since", { type: "DateTime", nullable: false, description: "When the first of them came." }),
    lastAt: t.expose("lastAt", { type: "DateTime", nullable: false, description: "When the last of them came." }),
    count: t.exposeFloat("count", { nullable: false, description: "Number of them." }),
    reasons: t.expose("reasons", {
      type: [WebhookRefusalCount],
      nullable: false,
      description: "Number of them by reason, in the order in which the reasons came first.",
    }),
  }),
});

export const WebhookStatus = builder.objectRef<WebhookStatusData>("WebhookStatus").implement({
  description:
    "How webhooks fare since the process that answers was started. Each gateway knows only of the webhooks that came to itself.",
  ...needs("admin"),
  fields: (t) => ({
    lastAcceptedAt: t.expose("lastAcceptedAt", {
      type: "DateTime",
      description: "When the last webhook was accepted. Null: none was.",
    }),
    acceptedLastMinute: t.exposeInt("acceptedLastMinute", {
      nullable: false,
      description: "Number of webhooks that were accepted in the last minute.",
    }),
    refusedLastMinute: t.exposeInt("refusedLastMinute", {
      nullable: false,
      description: "Number of webhooks that were refused in the last minute.",
    }),
    unreadableInARow: t.exposeInt("unreadableInARow", {
      nullable: false,
      description:
        "Number of webhooks in a row, up to now, that were accepted and could not be read. They are in quarantine.",
    }),
    refused: t.expose("refused", {
      type: RefusedWebhooks,
      description: "The webhooks that were refused after the last accepted one. Null: none was.",
    }),
  }),
});

const WebhookTest = builder.objectRef<WebhookTestData>("WebhookTest").implement({
  description:
    "What a test of the webhook's way needs. Sent by POST to the address of webhooks, from outside, it shows whether the proxies in front pass a webhook on. It enters no log. switchboard doctor --webhook --address sends it, and so does the console.",
  ...needs("admin"),
  fields: (t) => ({
    authorization: t.exposeString("authorization", {
      nullable: false,
      description: "The value of the Authorization header. It can do nothing else.",
      ...safeText("Made by the gateway of a time and keyed hashes."),
    }),
    path: t.exposeString("path", {
      nullable: false,
      description: "The path of webhooks, which is WEBHOOK_PATH.",
      ...safeText("From the operator's configuration."),
    }),
    bytes: t.exposeInt("bytes", {
      nullable: false,
      description: "The size of the body in bytes: the largest that a webhook may have.",
    }),
    expiresAt: t.expose("expiresAt", {
      type: "DateTime",
      nullable: false,
      description: "From then on the header is refused.",
    }),
  }),
});

builder.mutationField("createWebhookTest", (t) =>
  t.field({
    type: WebhookTest,
    description:
      "Makes a test of the webhook's way, for five minutes. Each gateway of the database with the same WEBHOOK_AUTHORIZATION knows it. Needs the scope admin.",
    ...needs("admin"),
    nullable: false,
    resolve: (_, _args, { gateway }) => gateway.issueWebhookTest(),
  }),
);
