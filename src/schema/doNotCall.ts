// The never-call list: Query.doNotCall, Mutation.addToDoNotCall and Mutation.removeFromDoNotCall.
import type { DoNotCallChange } from "../tasks/doNotCallList.ts";
import { badInput } from "../resolvers/inputRules.ts";
import { noKeyMessage, storedPhoneKey } from "../format/phoneKeys.ts";
import { builder, needs, rows, safeText, scans } from "./builder.ts";

const LIST_RULE = "Numbers count as the same with and without their country code, and in any usual writing.";

const DoNotCall = builder.objectRef<object>("DoNotCall").implement({
  description: `The numbers that no task may call. The gateway keeps keyed digests of them, not the numbers. ${LIST_RULE}`,
  ...needs("admin"),
  fields: (t) => ({
    count: t.int({
      nullable: false,
      description:
        "Count of its entries. A number without + that may begin with a country code, such as 33612345678, has two. Needs the scope admin.",
      ...needs("admin", scans(1)),
      resolve: (_, __, { doNotCall, queryOwner, queuedRead }) =>
        queuedRead(queryOwner, ["do not call"], () => doNotCall.count()),
    }),
    contains: t.boolean({
      nullable: false,
      description: "Whether createTask refuses a number. Needs the scope admin.",
      ...needs("admin", rows(1)),
      args: { number: t.arg.string({ required: true, description: "A phone number of 7 to 15 digits." }) },
      async resolve(_, { number }, { doNotCall, viewer }) {
        if (storedPhoneKey(number) === null) throw badInput(`number ${noKeyMessage(number)}.`);
        return (await doNotCall.find([number], viewer.name)).length > 0;
      },
    }),
  }),
});

const DoNotCallPayload = builder.objectRef<DoNotCallChange>("DoNotCallPayload").implement({
  description: "The result of a change of the never-call list.",
  ...needs("admin"),
  fields: (t) => ({
    changed: t.exposeInt("changed", {
      nullable: false,
      description: "How many entries were added or removed. The others were in the list already, or not in it.",
    }),
    unreadable: t.expose("unreadable", {
      type: ["Int"],
      nullable: false,
      description:
        "The places of texts that are not phone numbers, from 0. The other numbers were changed all the same.",
    }),
    reasons: t.exposeStringList("reasons", {
      nullable: false,
      description: "Why each of them is no phone number, in the order of unreadable.",
      ...safeText("A text of the gateway."),
    }),
  }),
});

builder.queryField("doNotCall", (t) =>
  t.field({
    type: DoNotCall,
    description: "The never-call list. Needs the scope admin.",
    ...needs("admin"),
    resolve: () => ({}),
  }),
);

builder.mutationField("addToDoNotCall", (t) =>
  t.field({
    type: DoNotCallPayload,
    description: `Adds numbers to the never-call list: createTask then refuses them, or leaves them out. ${LIST_RULE} Needs the scope admin.`,
    ...needs("admin", scans(1)),
    args: { numbers: t.arg.stringList({ required: true, description: "Phone numbers, at most 1000." }) },
    resolve: (_, args, { doNotCall, viewer }) => doNotCall.add(args.numbers, viewer.name),
  }),
);

builder.mutationField("removeFromDoNotCall", (t) =>
  t.field({
    type: DoNotCallPayload,
    description: "Removes numbers from the never-call list. Needs the scope admin.",
    ...needs("admin", scans(1)),
    args: { numbers: t.arg.stringList({ required: true, description: "Phone numbers, at most 1000." }) },
    resolve: (_, args, { doNotCall, viewer }) => doNotCall.remove(args.numbers, viewer.name),
  }),
);
