// What is shown of a proposal: its summary, and how it was decided.
import { SEEING_SUBMISSIONS } from "../auth/scopes.ts";
import { decidedBy, type ProposalOfSubmission } from "../resolvers/submissions.ts";
import { builder, needs } from "./builder.ts";

export const TaskProposal = builder.objectRef<ProposalOfSubmission>("TaskProposal").implement({
  description: "A task that waits for an approval, or waited for one: what it would do, without its phone numbers.",
  ...needs(SEEING_SUBMISSIONS),
  fields: (t) => ({
    expiresAt: t.expose("expiresAt", {
      type: "DateTime",
      nullable: false,
      description: "When it expires, if nobody decides.",
    }),
    lineIds: t.idList({
      nullable: false,
      description: "The IDs of the outgoing lines.",
      resolve: ({ summary }) => summary.lineIds,
    }),
    periods: t.field({
      type: t.listRef(t.listRef("String")),
      nullable: false,
      description: "The times of day at which calls are made, as the input has them.",
      resolve: ({ summary }) => summary.periods,
    }),
    startDate: t.string({
      nullable: false,
      description: "The first day of calls, as the input has it.",
      resolve: ({ summary }) => summary.startDate,
    }),
    retryCount: t.int({
      nullable: false,
      description: "Number of retries.",
      resolve: ({ summary }) => summary.retryCount,
    }),
    retryIntervalSeconds: t.int({
      nullable: false,
      description: "Time between retries in seconds.",
      resolve: ({ summary }) => summary.retryIntervalSeconds,
    }),
    overridesAssistant: t.boolean({
      nullable: false,
      description: "Whether the task changes the assistant's settings (assistantOverride).",
      resolve: ({ summary }) => summary.overridesAssistant,
    }),
    skipDoNotCall: t.boolean({
      nullable: false,
      description: "Whether numbers of the never-call list are left out; otherwise such a number refuses the approval.",
      resolve: ({ summary }) => summary.skipsDoNotCall,
    }),
    decidedAt: t.expose("decidedAt", {
      type: "DateTime",
      description: "When it was approved or declined, or expired. Null while it waits.",
    }),
    decidedBy: t.string({
      description:
        "The viewer that approved or declined it. Null if nobody did, and for viewers that may not see submittedBy.",
      resolve: decidedBy,
    }),
    declineReason: t.exposeString("declineReason", { description: "The reason that declineTask was given." }),
  }),
});
