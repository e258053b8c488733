import type { Forgotten } from "../privacy/erasePhone.ts";
import { badInput } from "../resolvers/inputRules.ts";
import { builder, needs, scans } from "./builder.ts";

const ForgetPhonePayload = builder.objectRef<Forgotten>("ForgetPhonePayload").implement({
  description: "What forgetPhone erased.",
  ...needs("admin"),
  fields: (t) => ({
    events: t.exposeInt("events", { nullable: false, description: "Number of events, revisions included." }),
    quarantined: t.exposeInt("quarantined", { nullable: false, description: "Number of quarantined deliveries." }),
    recordings: t.exposeInt("recordings", { nullable: false, description: "Number of recordings." }),
  }),
});

builder.mutationField("forgetPhone", (t) =>
  t.field({
    type: ForgetPhonePayload,
    description:
      "Erases the calls of a phone number everywhere in the gateway: events, quarantine, submissions and recordings. Repeated deliveries and searches do not bring them back. The service keeps its own data. Needs the scope admin.",
    // It reads the whole log and its files.
    ...needs("admin", scans(10)),
    args: {
      number: t.arg.string({
        required: true,
        description: "A phone number of 7 to 20 digits, in any usual writing; at most 64 characters.",
      }),
    },
    async resolve(_, { number }, context) {
      const forgotten = await context.forgetPhone(number, context.viewer.name);
      if (forgotten) return forgotten;
      throw badInput(
        "number must be a phone number of 7 to 20 digits and at most 64 characters, not the label of a line.",
      );
    },
  }),
);
