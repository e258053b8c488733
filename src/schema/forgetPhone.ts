import { noErasureMessage } from "../privacy/phoneMatcher.ts";
import type { Forgotten } from "../privacy/erasePhone.ts";
import { badInput } from "../resolvers/inputRules.ts";
import { builder, needs, scans } from "./builder.ts";

const ForgetPhonePayload = builder.objectRef<Forgotten>("ForgetPhonePayload").implement({
  description: "What forgetPhone erased.",
  ...needs("admin"),
  fields: (t) => ({
    events: t.exposeInt("events", { nullable: false, description: "Number of events, revisions included." }),
    rawDeliveries: t.exposeInt("rawDeliveries", {
      nullable: false,
      description: "Number of accepted deliveries that were kept as they came.",
    }),
    quarantined: t.exposeInt("quarantined", { nullable: false, description: "Number of quarantined deliveries." }),
    recordings: t.exposeInt("recordings", { nullable: false, description: "Number of recordings." }),
    proposals: t.exposeInt("proposals", {
      nullable: false,
      description: "Number of proposed tasks that were declined, because they would have called the number.",
    }),
  }),
});

builder.mutationField("forgetPhone", (t) =>
  t.field({
    type: ForgetPhonePayload,
    description:
      "Erases the calls of a phone number everywhere in the gateway: events, raw deliveries, quarantine, submissions and recordings. A proposed task with the number is declined. Repeated deliveries and searches do not bring them back. The service keeps its own data. Needs the scope admin.",
    // It reads the whole log and its files.
    ...needs("admin", scans(10)),
    args: {
      number: t.arg.string({
        required: true,
        description: "A phone number of 7 to 15 digits, in any usual writing; at most 64 characters.",
      }),
      addToDoNotCall: t.arg.boolean({
        required: true,
        defaultValue: false,
        description: "Adds the number to the never-call list, too, so that no later task calls it.",
      }),
    },
    async resolve(_, { number, addToDoNotCall }, context) {
      const { viewer, doNotCall, forgetPhone } = context;
      // First, because a task may be created while the number is erased.
      if (addToDoNotCall) await doNotCall.add([number], viewer.name);
      const forgotten = await forgetPhone(number, viewer.name);
      if (forgotten) return forgotten;
      throw badInput(`number ${noErasureMessage(number)}.`);
    },
  }),
);
