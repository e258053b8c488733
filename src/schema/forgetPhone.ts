import { noErasureMessage } from "../privacy/phoneMatcher.ts";
import type { ErasedCounts } from "../store/events/erasurePreview.ts";
import { badInput } from "../resolvers/inputRules.ts";
import { builder, needs, scans } from "./builder.ts";

const ForgetPhonePayload = builder.objectRef<ErasedCounts>("ForgetPhonePayload").implement({
  description: "What forgetPhone erased, or with dryRun would erase now.",
  ...needs("admin"),
  fields: (t) => ({
    calls: t.exposeInt("calls", {
      nullable: false,
      description: "Number of calls that held the number in an event, a recording or their start.",
    }),
    events: t.exposeInt("events", { nullable: false, description: "Number of events, revisions included." }),
    rawDeliveries: t.exposeInt("rawDeliveries", {
      nullable: false,
      description: "Number of accepted deliveries that were kept as they came.",
    }),
    quarantined: t.exposeInt("quarantined", { nullable: false, description: "Number of quarantined deliveries." }),
    recordings: t.exposeInt("recordings", { nullable: false, description: "Number of recordings." }),
    submissions: t.exposeInt("submissions", {
      nullable: false,
      description:
        "Number of submissions that held the number in their name, their idempotency key or another text, which they lose.",
    }),
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
      dryRun: t.arg.boolean({
        required: true,
        defaultValue: false,
        description: "Changes nothing, neither here nor in the never-call list: counts what would be erased now.",
      }),
    },
    async resolve(_, { number, addToDoNotCall, dryRun }, context) {
      const { viewer, doNotCall, forgetPhone } = context;
      // First, because a task may be created while the number is erased.
      if (addToDoNotCall && !dryRun) await doNotCall.add([number], viewer.name);
      const forgotten = await forgetPhone({ number, actor: viewer.name, dryRun });
      if (forgotten) return forgotten;
      throw badInput(`number ${noErasureMessage(number)}.`);
    },
  }),
);
