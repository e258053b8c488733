import type { Forgotten } from "../privacy/erasePhone.ts";
import { forgetPhone } from "../resolvers/forgetPhone.ts";
import { builder, needs, scans } from "./builder.ts";

const ForgetPhonePayload = builder.objectRef<Forgotten>("ForgetPhonePayload").implement({
  ...needs("admin"),
  fields: (t) => ({
    events: t.exposeInt("events", { nullable: false }),
    quarantined: t.exposeInt("quarantined", { nullable: false }),
    recordings: t.exposeInt("recordings", { nullable: false }),
  }),
});

builder.mutationField("forgetPhone", (t) =>
  t.field({
    type: ForgetPhonePayload,
    description: `Erases a phone number's calls everywhere in the gateway: events, quarantine, submissions, recordings; they do not come back
by a repeated delivery or a search. The service keeps its own and is not told. Needs the scope admin.`,
    // All of the log, and its files.
    ...needs("admin", scans(10)),
    args: { number: t.arg.string({ required: true }) },
    resolve: (_, { number }, context) => forgetPhone(number, context),
  }),
);
